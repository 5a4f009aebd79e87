#!/usr/bin/env node
/**
 * The command-line program.
 *
 * @module
 */
import process from "node:process";
import metadata from "../../package.json" with { type: "json" };

const { node } = process.versions;
const required = metadata.engines.node.replace(">=", "");

// Earlier versions cannot load the other modules.
if (required.localeCompare(node, "en", { numeric: true }) > 0) {
  console.error(
    `plant-store: Node.js ${required} or later is required, got ${node}`,
  );
  process.exitCode = 1;
} else {
  const { handleOutputErrors } = await import("./output.ts");
  const { dispatch } = await import("./dispatch.ts");
  handleOutputErrors();
  const status = await dispatch(process.argv.slice(2), process.env);
  if (status) process.exitCode = status;
}
