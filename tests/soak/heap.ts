import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Loaded into the server: for each SIGUSR2, it collects all garbage and prints
// what remains.

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
let count = 0;

process.on("SIGUSR2", () => {
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  console.error(`memory ${++count}: ${heapUsed} ${external} ${rss}`);
});
