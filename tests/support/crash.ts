// The command line with an uncaught error.
import process from "node:process";
import "../../src/cli/main.ts";

setTimeout(() => {
  const error = new Error("boom\nin two lines");
  if (process.env["CRASH"] === "rejection") Promise.reject(error);
  else throw error;
}, 500);
