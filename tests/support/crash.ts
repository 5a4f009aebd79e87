// A program with an uncaught error: the module of src/cli in the variable CRASH.
import process from "node:process";

const module = await import(`../../src/cli/${process.env["CRASH"]}.ts`);

setTimeout(() => {
  const error = new Error("boom\nin two lines");
  if (process.env["KIND"] === "rejection") Promise.reject(error);
  else throw error;
}, 500);

export default module.default as unknown;
