import process from "node:process";
import { runProgram } from "../../../tools/start_program.ts";
import { SITE_URL } from "./host.ts";

// Builds the documentation site for all tests in this folder. Two builds at the same
// time would overwrite the temporary files of each other.
const vitepress = "site/node_modules/vitepress/bin/vitepress.js";
const args = [vitepress, "build", "docs"];
await runProgram(process.execPath, args, { env: { SITE_URL } });
