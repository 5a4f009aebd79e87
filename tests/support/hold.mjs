import { writeSync } from "node:fs";
import { register } from "node:module";
import { basename } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";

// With --import, holds the program until its parent has exited: while tools/start.mjs
// loads the command line, or with ?early, before the program is loaded.

async function hold() {
  const parent = process.ppid;
  writeSync(1, "held\n");
  while (process.ppid === parent) await setTimeout(20);
}

export async function resolve(name, context, next) {
  if (name.endsWith("/src/cli/main.ts")) await hold();
  return next(name, context);
}

if (/^(?:start\.mjs|plant-store)$/.test(basename(`${process.argv[1]}`))) {
  if (import.meta.url.endsWith("?early")) await hold();
  else register(import.meta.url);
}
