import { readFile, unlink } from "node:fs/promises";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import type { Plant } from "../../mod.ts";
import { run } from "../support/command.ts";
import { digest } from "../contract/stores.ts";
import { makePlants, type Paths, swapFile, USERS } from "../fuzz/data.ts";
import type { Dice } from "../fuzz/dice.ts";
import {
  createState,
  type Shop,
  type State,
  type TagBook,
} from "../fuzz/state.ts";

/** Within how many milliseconds a change is served. */
const PROMISE = 1_000;

/** For how long a state is kept whose answers may still be on their way. */
const KEPT = 31_000;

/** What the server has to serve, while it changes. */
export interface ChangingShop {
  /** What holds now, the last change included. */
  readonly state: State;
  /** The tokens that are valid in it, and some that are not valid any more. */
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
  /** How many changes there were, by what they were. */
  readonly changes: ReadonlyMap<string, number>;
  /** After how many milliseconds each change was served. */
  readonly delays: readonly number[];
  /** What may have been served between two moments. */
  during(sent: number, received: number): readonly State[];
  /** Makes one change. It resolves when only what is new may be served. */
  change(
    dice: Dice,
    server: { readonly pid: number; readonly port: number },
  ): Promise<void>;
}

/** Files that no server may take. */
const BAD_PLANTS = [
  "",
  "[",
  '[{"name": ""}]',
  '{"name": "a"}',
  '[{"name": "a", "name": "b"}]',
  '[{"name": "a", "color": "red"}]',
  "\0",
];
const BAD_TOKENS = [
  "",
  "{",
  "[]",
  '{"a": {"plants": "all", "tokens": [{"sha256": "0"}]}}',
  '{"a": {"plants": "some", "tokens": []}}',
];

/** How many plants there are, give or take a few. */
const PLANTS = 1_000;

/** Plants for the shop; another edition has other names. */
export function stock(edition: number): Plant[] {
  return makePlants(PLANTS + edition % 7, edition);
}

/** A shop in two files, and what it becomes. */
export function openShop(
  paths: Paths,
  first: Shop,
  tags: TagBook,
): ChangingShop {
  const env = { PLANTS_FILE: paths.plants, TOKENS_FILE: paths.tokens };
  const states: State[] = [createState(first, 0, tags)];
  const changes = new Map<string, number>();
  const delays: number[] = [];
  const added: string[] = [];
  const revoked: string[] = [];
  const permanent = split(first);
  let edition = 0;

  const current = () => states.at(-1)!;

  /** Makes a state of a shop that the server may serve from now on, and alone a second after `act` is done. */
  async function become(
    shop: Shop,
    act: () => Promise<unknown>,
    isServed: () => Promise<boolean>,
  ): Promise<void> {
    const before = current();
    states.push(createState(shop, Date.now(), tags));
    await act();
    const done = Date.now();
    before.until = done + PROMISE;
    while (!await isServed() && Date.now() < done + 10 * PROMISE) {
      await setTimeout(10);
    }
    delays.push(Date.now() - done);
    await setTimeout(Math.max(0, before.until - Date.now()));
    const oldest = Date.now() - KEPT;
    while (states[0]!.until < oldest) states.shift();
  }

  /** Asks for the first two plants. */
  function ask(port: number, token: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${port}/plants?limit=2`, {
      headers: { authorization: `Bearer ${token}` },
    });
  }

  function restock(port: number): Promise<void> {
    const plants = stock(++edition);
    return become(
      { ...current(), plants },
      () => swapFile(paths.plants, JSON.stringify(plants, null, edition % 3)),
      async () => {
        const response = await ask(port, permanent.valid[0]!);
        return (await response.text()).includes(plants[1]!.name);
      },
    );
  }

  /** Puts a bad file in the place of the plants: what was served is served on, until they are mended. */
  async function spoilPlants(dice: Dice, port: number): Promise<void> {
    if (dice.chance(0.2)) await unlink(paths.plants);
    else await swapFile(paths.plants, dice.pick(BAD_PLANTS));
    await setTimeout(PROMISE);
    await restock(port);
  }

  async function spoilTokens(dice: Dice): Promise<void> {
    const good = await readFile(paths.tokens, "utf8");
    await swapFile(paths.tokens, dice.pick(BAD_TOKENS));
    await setTimeout(PROMISE);
    await swapFile(paths.tokens, good);
    await setTimeout(PROMISE);
  }

  async function addToken(dice: Dice, port: number): Promise<void> {
    const user = dice.pick([...USERS.keys()]);
    const { status, stdout } = await run(["token", "add", user], env);
    const token = stdout.trim();
    if (status !== 0) throw new Error("token add failed");
    const holders = new Map(current().holders).set(token, { user });
    // Nobody knows the token before it is printed, so nothing has changed for anybody.
    await become(
      { ...current(), holders },
      () => Promise.resolve(),
      async () => (await ask(port, token)).ok,
    );
    added.push(token);
  }

  async function revokeToken(dice: Dice, port: number): Promise<void> {
    const token = dice.pick(added);
    added.splice(added.indexOf(token), 1);
    const { user } = current().holders.get(token)!;
    const holders = new Map(current().holders);
    holders.delete(token);
    const id = digest(token).slice(0, 8);
    await become({ ...current(), holders }, async () => {
      const { status } = await run(["token", "revoke", user, id], env);
      if (status !== 0) throw new Error("token revoke failed");
    }, async () => (await ask(port, token)).status === 401);
    revoked.push(token);
    if (revoked.length > 50) revoked.shift();
  }

  const change: ChangingShop["change"] = async (dice, { pid, port }) => {
    const [what, act] = dice.pick<readonly [string, () => Promise<void>]>([
      ["plants changed", () => restock(port)],
      ["plants changed", () => restock(port)],
      ["plants changed", () => restock(port)],
      ["bad plants", () => spoilPlants(dice, port)],
      ["bad tokens", () => spoilTokens(dice)],
      ...added.length < 20
        ? [["token added", () => addToken(dice, port)] as const]
        : [],
      ...added.length > 0
        ? [["token revoked", () => revokeToken(dice, port)] as const]
        : [],
      ["SIGHUP", async () => {
        process.kill(pid, "SIGHUP");
        await setTimeout(PROMISE);
      }],
    ]);
    await act();
    changes.set(what, (changes.get(what) ?? 0) + 1);
  };

  return {
    get state() {
      return current();
    },
    get valid() {
      return [...permanent.valid, ...added];
    },
    get invalid() {
      return [...permanent.expired, ...revoked];
    },
    changes,
    delays,
    during: (sent, received) =>
      states.filter(({ since, until }) => since <= received && until >= sent),
    change,
  };
}

/** The tokens of a shop that are valid, and those that have expired. */
function split({ holders }: Shop) {
  const valid: string[] = [], expired: string[] = [];
  for (const [token, { expires = Infinity }] of holders) {
    (expires > Date.now() ? valid : expired).push(token);
  }
  return { valid, expired };
}
