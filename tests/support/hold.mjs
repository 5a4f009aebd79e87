import { writeSync } from "node:fs";
import { register } from "node:module";
import { basename } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";

// With --import, holds tools/start.mjs while it loads the command line, until its parent
// has exited.

export async function resolve(name, context, next) {
  if (name.endsWith("/src/cli/main.ts")) {
    const parent = process.ppid;
    writeSync(1, "held\n");
    while (process.ppid === parent) await setTimeout(20);
  }
  return next(name, context);
}

if (basename(`${process.argv[1]}`) === "start.mjs") register(import.meta.url);
