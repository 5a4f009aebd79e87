// Runs the test files in the variable FILES in one process: each process takes
// most of a second.
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

for (const file of process.env["FILES"]!.split(" ")) {
  await import(pathToFileURL(resolve(file)).href);
}
