import { spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { type Ended, type Running, watch } from "../../support/command.ts";

/** Debian keeps servers where only root looks for programs. */
const env = { ...process.env, PATH: `${process.env["PATH"]}:/usr/sbin:/sbin` };

/** Fails, and never skips, where a program is missing, with what to install. */
export function need(program: string, debianPackage: string): void {
  if (spawnSync(program, ["--version"], { env }).error === undefined) return;
  throw new Error(
    `${program} is needed: apt-get install -y --no-install-recommends ${debianPackage}`,
  );
}

/** Starts a program. */
export function start(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Running {
  return watch(spawn(program, args, {
    ...options,
    env: { ...env, NO_COLOR: "1", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  }));
}

/** Starts a program that the test ends. */
export function startFor(
  t: { after(fn: () => unknown): void },
  ...[program, args, options]: Parameters<typeof start>
): Running {
  const running = start(program, args, options);
  t.after(async () => {
    // Not SIGKILL: nginx would leave its workers behind.
    running.kill("SIGTERM");
    await running.ended;
  });
  return running;
}

/** Runs a program, which has to succeed. */
export async function run(
  ...[program, args, options]: Parameters<typeof start>
): Promise<Ended> {
  const ended = await start(program, args, options).ended;
  const { status, stdout, stderr } = ended;
  if (status === 0) return ended;
  throw new Error(`${program} ended with ${status}: ${stdout}${stderr}`);
}

/** Replaces a part of a shipped file that has to be in it. */
export function fill(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`${JSON.stringify(part)} is gone`);
  return text.replaceAll(part, by);
}
