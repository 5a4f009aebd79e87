export { parse } from "deno-std/yaml/parse.js";
