export { stringify } from "deno-std/yaml/stringify.js";
