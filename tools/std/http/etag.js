export { ifNoneMatch } from "deno-std/http/etag.js";
