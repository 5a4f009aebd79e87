import process from "node:process";
import { escapeControls } from "../core/internal/quote.ts";
import type { ResponseEvent } from "../core/http/events.ts";
import type { HandlerOptions } from "../core/http/handler_options.ts";
import type { FileStoreOptions } from "../stores/files.ts";
import type { PostgresStoreOptions } from "../stores/postgres.ts";
import { print } from "./output.ts";
import { toLines } from "./problems.ts";
import type { LogLevel } from "./serve_options.ts";

/** A log that writes to standard error. */
export interface Log {
  /** Options for stores. */
  readonly store:
    & Required<Pick<FileStoreOptions, "onChange">>
    & Required<Pick<PostgresStoreOptions, "onStatus">>;
  /** Options for a handler. */
  readonly handler: Pick<HandlerOptions, "onError" | "onResponse">;
  /** Writes a message at every log level. */
  notice(message: string): void;
}

/**
 * Creates a log. Its lines contain no queries, headers, or tokens. At the level
 * `requests`, each line is JSON, unless standard error is a terminal.
 */
export function createLog(level: LogLevel, database = "database"): Log {
  const isJson = level === "requests" && !process.stderr.isTTY;
  const toResponse = isJson ? toJson : toText;
  const write = (message: string) =>
    console.error(
      isJson
        ? JSON.stringify({ time: now(), message })
        : `${now()} ${escapeControls(message)}`,
    );
  const log = level === "off" ? () => {} : write;
  return {
    store: {
      onChange(change) {
        const { path } = change;
        if ("summary" in change) log(`${path} reloaded: ${change.summary}`);
        else toLines(change).forEach((line) => log(line));
        if ("problems" in change) {
          log(`still serving the previous content of ${path}`);
        }
      },
      onStatus(outage) {
        if (!outage) log(`${database} available again`);
        else log(`${database} unavailable: ${firstLine(outage.message)}`);
      },
    },
    handler: {
      onError: (error) => log(`error: ${firstLine(String(error))}`),
      ...level === "requests" &&
        { onResponse: (event) => writeResponse(toResponse(event)) },
    },
    notice: isJson ? write : print,
  };
}

function firstLine(text: string): string {
  return text.split("\n")[0]!;
}

/** The maximum total size of lines that wait for a slow reader, in bytes. */
const MAX_WAITING_BYTES = 1_000_000;

/** Writes the line for a request, or drops it if too many lines are waiting to be written. */
function writeResponse(line: string): void {
  if (process.stderr.writableLength < MAX_WAITING_BYTES) console.error(line);
}

function toJson(event: ResponseEvent): string {
  const { method, path, status, user = null, bytes, requestId } = event;
  const milliseconds = Number(event.duration.toFixed(3));
  const start = { time: now(), method, path, status };
  return JSON.stringify({ ...start, user, bytes, milliseconds, requestId });
}

function toText(event: ResponseEvent): string {
  const { method, path, status, user = "-", bytes = "-", requestId } = event;
  const milliseconds = event.duration.toFixed(1);
  const color = status < 300 ? 32 : status < 400 ? 36 : status < 500 ? 33 : 31;
  return [
    ...[paint(2, now()), method, path || "-", paint(color, `${status}`)],
    ...[user, bytes, "B", milliseconds, "ms", paint(2, requestId)],
  ].join(" ");
}

/** Colors text for a terminal (ECMA-48, SGR), unless it has no colors or NO_COLOR is set. */
function paint(code: number, text: string): string {
  // On Deno, hasColors() would require access to more variables.
  const { NO_COLOR, TERM } = process.env;
  return NO_COLOR || TERM === "dumb" ? text : `\x1b[${code}m${text}\x1b[0m`;
}

function now(): string {
  return new Date().toISOString();
}
