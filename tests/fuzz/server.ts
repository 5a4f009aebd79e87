import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Plant } from "../../mod.ts";
import { type Running, start } from "../support/command.ts";
import { ACCESS, PLANTS } from "../contract/cases.ts";
import { writeContract } from "../contract/stores.ts";
import { DOCUMENTS, type Service } from "./model.ts";

/** The plants of the contract, and `count` more. */
export function makePlants(count: number, edition = 0): Plant[] {
  const more = Array.from({ length: count }, (_, index) => ({
    name: `\u2028"Équisetum" ${edition}.${index}`,
    tag: index % 2 === 0 ? "fern" : "__proto__",
  }));
  return [...PLANTS, ...more];
}

/** A service with the users of the contract and 50 more plants. */
export const SERVICE: Service = {
  basePath: "",
  cors: "*",
  documents: DOCUMENTS,
  plants: makePlants(50),
  users: new Map(Object.entries(ACCESS)),
};

/** A server in a separate process, and its files. */
export interface Server extends Running {
  readonly port: number;
  readonly plants: string;
  readonly tokens: string;
  /**
   * Stops the server and removes its files.
   *
   * @throws {Error} If the server failed or logged an error.
   */
  stop(): Promise<void>;
}

/** Starts a service. */
export async function startServer(
  { basePath, cors, plants, host, isSlow }: Service,
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  const files = await writeContract(folder);
  await writeFile(files.plants, JSON.stringify(plants));
  const args = ["--plants", files.plants, "--tokens", files.tokens];
  if (basePath !== "") args.push("--base-path", basePath);
  const running = host
    ? start([host, `${isSlow}`], env, ".", "tests/fuzz/host.ts")
    : start(["--port", "0", "--cors", `${cors}`, ...args], env);
  const kill = () => running.kill("SIGKILL");
  process.once("exit", kill);
  const [, port] = await running.until("stdout", /^Listening on .*:(\d+)\//m);
  return {
    ...running,
    ...files,
    port: Number(port),
    async stop() {
      running.kill("SIGTERM");
      const timer = setTimeout(kill, 15_000);
      const { status, stderr } = await running.ended;
      clearTimeout(timer);
      process.off("exit", kill);
      await rm(folder, { recursive: true });
      if (status !== 0 || /Z error: |^\s+at /m.test(stderr)) {
        throw new Error(`the server exited with status ${status}: ${stderr}`);
      }
    },
  };
}
