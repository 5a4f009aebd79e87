// Handles signals without a server. Once it has received SIGHUP, it sets actions
// that print what they receive, and exits on SIGTERM.
import process from "node:process";
import { handleSignals } from "../../src/cli/signals.ts";

const onStart = handleSignals();
process.on("SIGHUP", () => {
  onStart({
    stop: (signal) => {
      console.log(`stop ${signal}`);
      process.exit(3);
    },
    reload: () => console.log("reload"),
  });
});
setInterval(() => {}, 1_000);
console.log("ready");
