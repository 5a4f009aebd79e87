// Checks what `npm start`, `npm test`, and the build need, in JavaScript that old versions run.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

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

// Git writes the generated file and its sources at the same time.
const generated = "src/explorer/content.ts";
if (existsSync(generated)) {
  const { mtimeMs } = statSync(generated);
  const isOld = readdirSync("src/explorer", { recursive: true }).some((name) =>
    /\.(?:ts|css|html)$/.test(name) &&
    statSync(`src/explorer/${name}`).mtimeMs > mtimeMs + 10_000
  );
  if (isOld) {
    console.error(
      `plant-store: ${generated} is out of date; run: npm run generate`,
    );
  }
}
