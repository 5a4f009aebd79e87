export { STATUS_CODE, STATUS_TEXT } from "deno-std/http/status.js";
