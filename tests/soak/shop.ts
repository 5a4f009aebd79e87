import { rename, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { digest } from "../contract/stores.ts";
import { expect, type Expected, type Service } from "../fuzz/model.ts";
import type { WireRequest } from "../fuzz/model.ts";
import { makePlants, type Server } from "../fuzz/server.ts";

/** What the server serves between two times, in milliseconds since 1970. */
interface Period {
  readonly service: Service;
  readonly since: number;
  until: number;
}

/** How long the server can take to serve a change, in milliseconds. */
const PATIENCE = 30_000;

/** How long a connection can take, in milliseconds. */
const LONGEST = 120_000;

/** The changing files of a server. */
export class Shop {
  readonly #server: Server;
  readonly #periods: Period[];
  #edition = 0;
  #token = "";

  constructor(server: Server, service: Service) {
    this.#server = server;
    this.#periods = [{ service, since: 0, until: Infinity }];
  }

  /** What the server serves, or will serve soon. */
  get service(): Service {
    return this.#periods.at(-1)!.service;
  }

  /** Returns the correct responses to a request between two times. */
  expect(request: WireRequest, sent: number, received: number): Expected[] {
    return this.#periods
      .filter(({ since, until }) => since <= received && until >= sent)
      .flatMap(({ service }) => expect(request, service));
  }

  /**
   * Changes one of the files, and waits until the server serves the change.
   *
   * @throws {Error} If the server does not serve it.
   */
  async change(): Promise<void> {
    const edition = ++this.#edition;
    const { plants, tokens } = this.#server;
    if (edition % 3 === 0) {
      const files = [plants, tokens];
      await replace(files[edition % 2]!, "["); // has no effect
      await setTimeout(1_000);
    }
    if (edition % 2 === 0) await this.#changePlants(edition);
    else await this.#changeToken(edition);
  }

  async #changePlants(edition: number): Promise<void> {
    const plants = makePlants(100 + edition % 50, edition);
    const text = JSON.stringify(plants);
    await this.#become(
      { ...this.service, plants },
      this.#server.plants,
      text,
      "all",
    );
  }

  /** Revokes a token and adds another one. */
  async #changeToken(edition: number): Promise<void> {
    const users = new Map(this.service.users);
    const token = `soak-${edition}`;
    users.delete(this.#token);
    users.set(token, "all");
    const file: Record<string, unknown> = {};
    for (const [user, plants] of users) {
      file[user] = { plants, tokens: [{ sha256: digest(user) }] };
    }
    await this.#become(
      { ...this.service, users },
      this.#server.tokens,
      JSON.stringify(file),
      token,
    );
    this.#token = token;
  }

  /** Replaces a file; a request with `token` shows when the server has read it. */
  async #become(
    service: Service,
    path: string,
    text: string,
    token: string,
  ): Promise<void> {
    const previous = this.#periods.at(-1)!;
    const since = Date.now();
    this.#periods.push({ service, since, until: Infinity });
    await replace(path, text);
    const headers = { authorization: `Bearer ${token}` };
    const url = `http://127.0.0.1:${this.#server.port}/plants`;
    const wanted = JSON.stringify(service.plants);
    while (await (await fetch(url, { headers })).text() !== wanted) {
      if (Date.now() > since + PATIENCE) {
        throw new Error(`the server does not reload ${path}`);
      }
      await setTimeout(20);
    }
    previous.until = Date.now();
    const oldest = previous.until - LONGEST;
    while (this.#periods[0]!.until < oldest) this.#periods.shift();
  }
}

async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.next`, text);
  await rename(`${path}.next`, path);
}
