import { StoreUnavailableError } from "../../domain/store.ts";
import type { Client, Connect } from "./client.ts";
import type { Sql } from "./schema.ts";

/** Connections that are used again. */
export interface Pool {
  /**
   * Runs `task` on a connection. Where all are in use, those who ask for little
   * share one: their questions follow each other without waiting for answers,
   * which saves both sides much of the work.
   *
   * @param deadline When it has to be done at the latest, as `performance.now()` counts.
   * @throws {StoreUnavailableError} When it fails, or is not done in time.
   */
  run<T>(
    deadline: number,
    task: (sql: Sql) => Promise<T>,
    options?: RunOptions,
  ): Promise<T>;
  /** Waits for what runs until `deadline`, then ends all connections. */
  close(deadline: number): Promise<void>;
}

/** How a task is run. */
export interface RunOptions {
  /** Whether it asks for much, so that nobody else should wait for its answer. Default: false. */
  readonly isLong?: boolean;
}

/** What a {@linkcode Pool} is made of. */
export interface PoolOptions {
  readonly connect: Connect;
  /** The most connections at once. */
  readonly max: number;
  /** Is told how every task ended: what it failed of, undefined when it did not. */
  readonly onEnd: (error?: unknown) => void;
}

/**
 * How a connection is set up. The statements are written for the indexes: given
 * a limit that it does not know yet, the planner could sort a whole table. The
 * database ends each statement by itself, so many milliseconds after it began:
 * nobody waits for it by then.
 */
export const SET_UP = `
  set statement_timeout = 1400;
  set plan_cache_mode = force_generic_plan;
  set enable_seqscan = off;
  set enable_bitmapscan = off;
  set jit = off;
`;

/** How many tasks share a connection at the most. */
const DEPTH = 8;

/** A connection, and who uses it. */
interface Line {
  readonly client: Client;
  /** Is resolved when it has been set up. */
  readonly ready: Promise<unknown>;
  tasks: number;
  /** Whether a task on it asks for much. */
  isLong: boolean;
  /** Whether a task on it failed, so that it ends with those that are on it still. */
  isSpent: boolean;
}

/** Creates a pool; connections are made when they are needed. */
export function createPool({ connect, max, onEnd }: PoolOptions): Pool {
  const lines = new Set<Line>();
  const waiting: { isLong: boolean; start(line: Line): void }[] = [];
  let closing = false;
  let ended = () => {};

  function open(): Line {
    const client = connect();
    const ready = client.sql.unsafe(SET_UP).execute();
    ready.catch(() => client.destroy()); // whoever uses it gets to know
    const line = { client, ready, tasks: 0, isLong: false, isSpent: false };
    lines.add(line);
    return line;
  }

  /** A connection that is free, a new one while there may be more, or one to share. */
  function find(isLong: boolean): Line | undefined {
    let shared: Line | undefined;
    for (const line of lines) {
      const { client, tasks } = line;
      if (tasks === 0 && !client.isClosed) return line;
      if (tasks === 0) lines.delete(line);
      else if (
        !isLong && !line.isLong && !line.isSpent && !client.isClosed &&
        tasks < (shared?.tasks ?? DEPTH)
      ) shared = line;
    }
    return lines.size < max ? open() : shared;
  }

  function take(isLong: boolean): Line | undefined {
    const line = find(isLong);
    if (!line) return undefined;
    line.tasks++;
    line.isLong = isLong;
    return line;
  }

  /** Takes a connection back, and hands it or its place on to who waits first. */
  function give(line: Line): void {
    line.tasks--;
    if (line.isSpent && line.tasks === 0) line.client.destroy();
    startNext();
    if (closing && !isUsed()) ended();
  }

  function startNext(): void {
    while (waiting.length > 0) {
      const line = take(waiting[0]!.isLong);
      if (!line) return;
      waiting.shift()!.start(line);
    }
  }

  function isUsed(): boolean {
    return [...lines].some(({ tasks }) => tasks > 0);
  }

  /** Waits until there is a place on a connection. */
  function wait({ passed }: Timer, isLong: boolean): Promise<Line> {
    const turn = { isLong, start: (_: Line) => {} };
    const found = new Promise<Line>((resolve) => {
      turn.start = resolve;
      waiting.push(turn);
    });
    return Promise.race([found, passed]).catch((error) => {
      const at = waiting.indexOf(turn);
      if (at === -1) found.then(give);
      else waiting.splice(at, 1);
      startNext();
      throw error;
    });
  }

  async function work<T>(
    { client, ready }: Line,
    task: (sql: Sql) => Promise<T>,
  ): Promise<T> {
    await ready;
    return await task(client.sql);
  }

  return {
    async run(deadline, task, { isLong = false } = {}) {
      if (closing) throw new StoreUnavailableError("The store is closed");
      const late = createTimer(deadline);
      let line: Line | undefined;
      let result;
      try {
        const isFirst = waiting.length === 0;
        line = isFirst && take(isLong) || await wait(late, isLong);
        result = await Promise.race([work(line, task), late.passed]);
      } catch (error) {
        // What state it is in is not known, but for what the database refused.
        if (line && !isRefusal(error)) line.isSpent = true;
        onEnd(error);
        throw new StoreUnavailableError("The database is away", {
          cause: error,
        });
      } finally {
        late.clear();
        if (line) give(line);
      }
      onEnd();
      return result;
    },
    async close(deadline) {
      closing = true;
      if (isUsed()) {
        const late = createTimer(deadline);
        const done = new Promise<void>((resolve) => ended = resolve);
        await Promise.race([done, late.passed]).catch(() => {});
        late.clear();
      }
      for (const { client } of lines) client.destroy();
    },
  };
}

/** Whether the database has answered, and the connection can be used on. */
function isRefusal(error: unknown): boolean {
  const { name, severity } = error as { name?: string; severity?: string };
  return name === "PostgresError" && severity === "ERROR";
}

interface Timer {
  /** Is rejected when the time is up. */
  readonly passed: Promise<never>;
  clear(): void;
}

function createTimer(deadline: number): Timer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error("the database did not answer in time")),
      Math.max(0, deadline - performance.now()),
    );
  });
  passed.catch(() => {});
  return { passed, clear: () => clearTimeout(timer) };
}
