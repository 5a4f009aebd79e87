import process from "node:process";
import { escapeControls } from "../domain/quote.ts";
import type { ResponseEvent } from "../http/events.ts";
import type { HandlerOptions } from "../http/options.ts";
import type { FileChange } from "../stores/files.ts";
import type { PostgresStoreOptions } from "../stores/postgres.ts";
import { print } from "./command.ts";
import { toLines } from "./problems.ts";
import type { LogLevel } from "./serve_options.ts";

/** A log that writes to standard error. */
export interface Log {
  /** Options for a file store. */
  readonly store: { onChange?: (change: FileChange) => void };
  /** Options for a database store. */
  readonly database: Pick<PostgresStoreOptions, "onOutage" | "onRecovery">;
  /** Options for a handler. */
  readonly handler: Pick<HandlerOptions, "onError" | "onResponse">;
  /** Writes a message at every log level. */
  notice(message: string): void;
  /** Writes an uncaught error at every log level. */
  fatal(error: unknown): void;
}

/**
 * Creates a log. Its lines contain no queries, headers, or tokens. At the level
 * `requests`, each line is JSON, unless standard error is a terminal.
 */
export function createLog(level: LogLevel): Log {
  const isJson = level === "requests" && !process.stderr.isTTY;
  const write = isJson ? writeJson : writeText;
  const writeResponse = isJson ? writeResponseJson : writeResponseText;
  const always: Pick<Log, "notice" | "fatal"> = {
    notice: isJson ? writeJson : print,
    fatal: (error) => write(`fatal: ${describe(error)}`),
  };

  if (level === "off") {
    return { store: {}, database: {}, handler: { onError() {} }, ...always };
  }
  return {
    store: { onChange: (change) => describeChange(change).forEach(write) },
    database: {
      onOutage: (error) =>
        write(`database unavailable: ${firstLine(error.message)}`),
      onRecovery: () => write("database available again"),
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

/** Describes an error and where it was thrown. */
function describe(error: unknown): string {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  const place = /\n\s+(at .+)/.exec(stack)?.[1] ?? "";
  return `${firstLine(String(error))} ${place}`.trimEnd();
}

function firstLine(text: string): string {
  return text.split("\n")[0]!;
}

function writeText(message: string): void {
  console.error(`${now()} ${escapeControls(message)}`);
}

function writeJson(message: string): void {
  console.error(JSON.stringify({ time: now(), message }));
}

/** The maximum total size of lines that wait for a slow reader, in bytes. */
const MAX_WAITING_BYTES = 1_000_000;

/** Writes the line for a request, or drops it if too many lines are waiting to be written. */
function writeLine(line: string): void {
  if (process.stderr.writableLength < MAX_WAITING_BYTES) console.error(line);
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

/** Colors text for a terminal (ECMA-48, SGR), unless NO_COLOR is set. */
function paint(code: number, text: string): string {
  return process.env["NO_COLOR"] ? text : `\x1b[${code}m${text}\x1b[0m`;
}

function now(): string {
  return new Date().toISOString();
}
