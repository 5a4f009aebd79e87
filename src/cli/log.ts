import process from "node:process";
import type { ResponseEvent } from "../http/events.ts";
import type { HandlerOptions } from "../http/options.ts";
import type { FileChange } from "../stores/files.ts";
import type { PostgresStoreOptions } from "../stores/postgres.ts";
import type { LogLevel } from "./options.ts";
import { toLines } from "./problems.ts";

/** What a handler and a store tell, written to standard error. */
export interface Log {
  /** Options for a file store. */
  readonly store: { onChange?: (change: FileChange) => void };
  /** Options for a store on a database. */
  readonly database: Pick<PostgresStoreOptions, "onOutage" | "onRecovery">;
  /** Options for a handler. */
  readonly handler: Pick<HandlerOptions, "onError" | "onResponse">;
  /** Tells what whoever starts the service has to know, whatever the level. */
  notice(message: string): void;
  /** Tells of what nobody caught, whatever the level: the process ends of it. */
  fatal(error: unknown): void;
}

/**
 * Creates the log of a level; no line of it has a query, a header or a token.
 * With requests in it, it is for people on a terminal, else each line is JSON.
 */
export function createLog(level: LogLevel): Log {
  const isJson = level === "requests" && !process.stderr.isTTY;
  const write = isJson ? writeJson : writeText;
  const writeResponse = isJson ? writeResponseJson : writeResponseText;
  const always: Pick<Log, "notice" | "fatal"> = {
    notice: isJson ? writeJson : writeNotice,
    fatal: (error) => write(`fatal: ${describe(error)}`),
  };

  if (level === "off") {
    return { store: {}, database: {}, handler: { onError() {} }, ...always };
  }
  return {
    store: { onChange: (change) => describeChange(change).forEach(write) },
    database: {
      onOutage: (error) =>
        write(`the database can't be used: ${firstLine(error.message)}`),
      onRecovery: () => write("the database can be used again"),
    },
    handler: {
      onError: (error) => write(`error: ${firstLine(String(error))}`),
      ...level === "requests" && { onResponse: writeResponse },
    },
    ...always,
  };
}

function describeChange(change: FileChange): string[] {
  if ("problems" in change) return toLines(change);
  return [`${change.path} reloaded: ${change.summary}`];
}

/** An error with the place that it comes from. */
function describe(error: unknown): string {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  const place = /\n\s+(at .+)/.exec(stack)?.[1] ?? "";
  return `${firstLine(String(error))} ${place}`.trimEnd();
}

function firstLine(text: string): string {
  return text.split("\n")[0]!;
}

function writeNotice(message: string): void {
  console.error(`plant-store: ${message}`);
}

function writeText(message: string): void {
  console.error(`${now()} ${message}`);
}

function writeJson(message: string): void {
  console.error(JSON.stringify({ time: now(), message }));
}

/** How many bytes of lines may wait for a reader that is slow; what comes then is left out. */
const MAX_WAITING = 1_000_000;

/** Writes a line of a request: how many there are is up to clients. */
function writeLine(line: string): void {
  if (process.stderr.writableLength < MAX_WAITING) console.error(line);
}

function writeResponseJson(event: ResponseEvent): void {
  const { method, path, status, user = null, bytes, requestId } = event;
  const milliseconds = Number(event.duration.toFixed(3));
  writeLine(JSON.stringify({
    time: now(),
    method,
    path,
    status,
    user,
    bytes,
    milliseconds,
    requestId,
  }));
}

function writeResponseText(event: ResponseEvent): void {
  const { method, path, status, user = "-", bytes, requestId } = event;
  const milliseconds = event.duration.toFixed(1);
  const color = status < 300 ? 32 : status < 400 ? 36 : status < 500 ? 33 : 31;
  writeLine(
    `${paint(2, now())} ${method} ${path || "-"} ${
      paint(color, `${status}`)
    } ` +
      `${user} ${bytes} B ${milliseconds} ms ${paint(2, requestId)}`,
  );
}

/** Text in a colour of the terminal (SGR of ECMA-48), unless NO_COLOR is set. */
function paint(code: number, text: string): string {
  return process.env["NO_COLOR"] ? text : `\x1b[${code}m${text}\x1b[0m`;
}

function now(): string {
  return new Date().toISOString();
}
