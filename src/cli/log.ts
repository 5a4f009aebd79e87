import type { HandlerOptions, ReplyEvent } from "../answer/answer.ts";
import type { FileChange } from "../stores/files.ts";
import type { PostgresStoreOptions } from "../stores/postgres.ts";
import type { LogLevel } from "./options.ts";
import { summarize } from "./problems.ts";

/** What a handler and a file store tell, written to standard error. */
export interface Log {
  /** Options for a file store. */
  readonly store: { onChange?: (change: FileChange) => void };
  /** Options for a store on a database. */
  readonly database: Pick<PostgresStoreOptions, "onOutage" | "onRecovery">;
  /** Options for a handler. */
  readonly handler: Pick<HandlerOptions, "onError" | "onReply">;
}

/** Creates the log of a level; no line of it has a query, a header or a token. */
export function createLog(level: LogLevel): Log {
  if (level === "off") {
    return { store: {}, database: {}, handler: { onError() {} } };
  }
  return {
    store: { onChange: logChange },
    database: { onOutage: logOutage, onRecovery: logRecovery },
    handler: {
      onError: logError,
      ...level === "requests" && { onReply: logReply },
    },
  };
}

function logChange(change: FileChange): void {
  if ("problems" in change) {
    logLine(summarize(change));
  } else {
    const { path, summary, added, removed } = change;
    logLine(`${path} reloaded: ${summary} (+${added}, -${removed})`);
  }
}

function logOutage({ message }: Error): void {
  logLine(`the database can't be used: ${message.split("\n")[0]}`);
}

function logRecovery(): void {
  logLine("the database can be used again");
}

function logError(error: unknown): void {
  logLine(`error: ${String(error).split("\n")[0]}`);
}

function logReply({ method, path, status, duration }: ReplyEvent): void {
  logLine(`${method} ${path || "-"} ${status} ${duration.toFixed(1)} ms`);
}

function logLine(text: string): void {
  console.error(`${new Date().toISOString()} ${text}`);
}
