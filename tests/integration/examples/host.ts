import { findPort } from "../../support/port.ts";
import { startProgram } from "../../support/program.ts";

/** A running host. */
export interface Host {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a host with a command and waits until it listens. */
export async function startHost(
  [program, ...args]: readonly string[],
): Promise<Host> {
  const port = await findPort();
  const env = { PORT: `${port}` };
  const { until, kill, ended } = startProgram(program!, args, { env });
  await until("stdout", /^Plants at .*\n/m);
  return {
    port,
    async close() {
      kill("SIGKILL");
      await ended;
    },
  };
}
