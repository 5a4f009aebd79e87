// Handles signals without a server, so it exits on the first one.
import { handleSignals } from "../../src/cli/signals.ts";

handleSignals();
setInterval(() => {}, 1_000);
console.log("ready");
