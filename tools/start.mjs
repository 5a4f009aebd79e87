// Runs the command line with tsx. A script `prestart` would take 0.1 s more, because npm
// starts another process for it.
import process from "node:process";

await import("./prestart.mjs");
if (process.exitCode === undefined) {
  const { register } = await import("tsx/esm/api");
  register();
  await import("../src/cli/main.ts").catch((error) => {
    if (!error.syscall) throw error;
    console.error(
      `plant-store: cannot compile the sources: ${error.message}; if this is the temporary folder, set TMPDIR to another one`,
    );
    process.exitCode = 1;
  });
}
