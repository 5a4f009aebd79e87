// Ends a process after its tests: Node.js can wait forever for its own handles.
import process from "node:process";

process.once("beforeExit", () => {
  // After this, the test runner runs hooks, which can also wait.
  setImmediate(() => process.once("beforeExit", () => process.exit()));
});
