import process from "node:process";

// Imported before a server that knows nothing of signals, so that it ends in the
// way that lets Node write a profile.

process.on("SIGTERM", () => process.exit(0));
