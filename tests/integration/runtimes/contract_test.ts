import metadata from "../../../package.json" with { type: "json" };
import { testOnNode } from "../../support/on_node.ts";

// The unit tests for Deno and Bun include the contract.

/** The oldest version of Node.js that package.json allows, and the newest one. */
for (const version of [metadata.engines.node.replace(">=", ""), "26.10.0"]) {
  testOnNode(version);
}
