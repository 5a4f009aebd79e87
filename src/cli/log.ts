import process from "node:process";
import { escapeControls } from "../core/internal/quote.ts";
import type { ResponseEvent } from "../core/http/response_event.ts";
import { print } from "./output.ts";

export interface Log {
  /** Writes the first line of a message, unless the log level is `off`. */
  write(message: string): void;
  /** Writes a message at every log level. */
  notice(message: string): void;
  /** Writes a line for a response. Set at the log level `requests`. */
  readonly onResponse?: (event: ResponseEvent) => void;
}

/**
 * Creates a log. Its lines contain no queries or headers. At the level
 * `requests`, each line is JSON, unless standard error is a terminal.
 */
export function createLog(level: "off" | "errors" | "requests"): Log {
  const isJson = level === "requests" && !process.stderr.isTTY;
  const toLine = isJson ? toJson : toText;
  function write(text: string): void {
    const [message = ""] = text.split("\n");
    const line = isJson
      ? JSON.stringify({ time: now(), message })
      : `${now()} ${escapeControls(message)}`;
    console.error(line);
  }
  return {
    write: level === "off" ? () => {} : write,
    notice: isJson ? write : print,
    ...level === "requests" &&
      { onResponse: (event) => writeResponse(toLine(event)) },
  };
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
  const request = `${method} ${path || "-"} ${status} ${user}`;
  return `${now()} ${request} ${bytes} B ${milliseconds} ms ${requestId}`;
}

function now(): string {
  return new Date().toISOString();
}
