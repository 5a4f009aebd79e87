import { type Command, defineCommand } from "./command.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";
import { handleSignals } from "./signals.ts";

/** `serve`: serves the files, the demo data, or a database until it receives a signal. */
export const serveCommand: Command = defineCommand({
  help: "Start the server (default command)",
  options: SERVE_OPTIONS,
  async run(line) {
    const onStart = handleSignals();
    // Signals can arrive while the server's modules and files are loaded.
    const { startService } = await import("./start_service.ts");
    await startService(line, onStart);
  },
});
