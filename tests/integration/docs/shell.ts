import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { DENO } from "../../../tools/runtimes.ts";
import type { Running } from "../../../tools/start_cli.ts";
import { makeFolder } from "../../support/files.ts";
import { findPort } from "../../../tools/port.ts";
import { startProgram } from "../../../tools/start_program.ts";

/** The result of commands. */
export interface Result {
  /** The exit status, or undefined if a server keeps running. */
  readonly status: number | null | undefined;
  /** What the commands wrote to stdout and stderr. */
  readonly output: string;
}

/** A shell in which a reader types commands. */
export interface Shell {
  readonly folder: string;
  /** Stops the servers of the previous section when another one begins. */
  enter(section: string): Promise<void>;
  /** Stops the servers of this section. */
  stop(): Promise<void>;
  /**
   * Runs commands until they exit, or until a server listens and the output is
   * complete. Variables and the working directory persist.
   */
  run(text: string, isComplete?: (output: string) => boolean): Promise<Result>;
}

/** What a server prints when it listens. */
const LISTENING = /^(?:Listening on|Plants at) .*\n/m;

/** The address in the documents; a free port replaces its port. */
const ADDRESS = "127.0.0.1:8000";

/** Opens a shell in a folder, in which `npx plant-store` starts a package. */
export async function openShell(
  t: { after(fn: () => unknown): void },
  folder: string,
  packageFolder: string,
): Promise<Shell> {
  const home = await makeFolder(t);
  const bin = join(home, "bin"), state = join(home, "state");
  await mkdir(bin);
  const deno = `#!/bin/sh\nexec ${DENO.join(" ")} "$@"\n`;
  await writeFile(join(bin, "deno"), deno, { mode: 0o755 });
  // npx takes a second, and starts the package in a clone through such a link, too.
  const packages = join(home, "node_modules");
  await mkdir(packages);
  await symlink(packageFolder, join(packages, "plant-store"));
  const npx = `#!/bin/sh
[ "$1" = plant-store ] || exec '${dirname(process.execPath)}/npx' "$@"
shift
exec node '${packages}/plant-store/dist/cli.js' "$@"
`;
  await writeFile(join(bin, "npx"), npx, { mode: 0o755 });
  await writeFile(state, `cd '${folder}'\n`);
  // Without a terminal, curl would print a progress meter.
  await writeFile(join(home, ".curlrc"), "no-progress-meter\n");
  const port = await findPort();
  const address = `127.0.0.1:${port}`;
  const env = {
    PATH: `${bin}:${process.env["PATH"]}`,
    PORT: `${port}`,
    CURL_HOME: home,
    DATABASE_URL: undefined,
    NODE_NO_WARNINGS: "1",
    NODE_TEST_CONTEXT: undefined, // tests in the shell would report to this one
    npm_config_update_notifier: "false",
    npm_config_prefer_offline: "true",
  };
  let section = "";
  /** The commands of this section, and those before the first one. */
  const commands: Running[] = [], first: Running[] = [];
  t.after(async () => {
    await stopAll(first);
    await stopAll(commands);
  });

  async function stopAll(commands: Running[]): Promise<void> {
    for (const { kill, ended } of commands.splice(0)) {
      kill("SIGKILL");
      await ended;
    }
  }

  return {
    folder,
    async enter(next) {
      if (next !== section) await stopAll(commands);
      section = next;
    },
    stop: () => stopAll(commands),
    async run(text, isComplete = () => true) {
      const script = `exec 2>&1
. '${state}'
set -ea
${text.replaceAll(ADDRESS, address)}
set +a
{ export -p; echo "cd '$PWD'"; } > '${state}'
`;
      const command = startProgram("sh", ["-c", script], { env });
      (section === "" ? first : commands).push(command);
      let output = "";
      const clean = () =>
        output.replaceAll(/^npm warn .*\n/gm, "").replaceAll(address, ADDRESS);
      const listening = new Promise<undefined>((resolve) =>
        command.process.stdout!.on("data", (data: Uint8Array) => {
          output += data;
          const text = clean();
          if (LISTENING.test(text) && isComplete(text)) resolve(undefined);
        })
      );
      const exited = command.ended.then(({ status }) => status);
      const status = await Promise.race([listening, exited]);
      return { status, output: clean() };
    },
  };
}
