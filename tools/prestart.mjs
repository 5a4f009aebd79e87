// Checks what `npm start`, `npm test`, and the build need, in JavaScript that old versions run.
import { existsSync, readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
const required = engines.node.replace(">=", "");
const { node } = process.versions;
const problem = required.localeCompare(node, "en", { numeric: true }) > 0
  ? `Node.js ${required} or later is required, got ${node}`
  : !existsSync("node_modules/tsx")
  ? "dependencies are not installed; run: npm ci --include=dev"
  : undefined;
if (problem !== undefined) {
  console.error(`plant-store: ${problem}`);
  process.exitCode = 1;
}
