import process from "node:process";
import { test } from "node:test";
import { runProgram } from "../../../tools/start_program.ts";

// A short run of `npm run fuzz` for each server.

const FUZZ = ["--import", "tsx", "tests/fuzz/pipelines.ts"];

for (const server of ["serve", "http", "express"]) {
  test(`3,000 connections get correct responses from ${server}`, async () => {
    const options = ["--connections", "3000", "--seed", "1"];
    await runProgram(process.execPath, [
      ...FUZZ,
      ...["--server", server, ...options],
    ]);
  });
}
