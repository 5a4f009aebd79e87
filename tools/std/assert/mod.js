export { assert } from "deno-std/assert/assert.js";
export { assertEquals } from "deno-std/assert/equals.js";
export { assertMatch } from "deno-std/assert/match.js";
export { assertNotMatch } from "deno-std/assert/not_match.js";
export { assertRejects } from "deno-std/assert/rejects.js";
export { assertStringIncludes } from "deno-std/assert/string_includes.js";
export { assertThrows } from "deno-std/assert/throws.js";
