/** The default server options for the library and the command line. */
export const DEFAULTS = {
  host: "127.0.0.1",
  port: 8_000,
  /** In milliseconds. */
  shutdownTimeout: 10_000,
  /** In milliseconds. */
  shutdownDelay: 0,
} as const;

/** Limits on client requests (docs/operating.md). Not every runtime enforces all of them. */
export interface Limits {
  /** The size of the target and all headers of a request, in bytes. */
  readonly headerBytes: number;
  /** The length of a request target, in characters. */
  readonly urlLength: number;
  /** The time for the headers of a request to arrive, in milliseconds. */
  readonly headersTimeout: number;
  /** The time for a whole request to arrive, in milliseconds. */
  readonly requestTimeout: number;
  /** The time for a client to read a short response, or a piece of a long one, in milliseconds. */
  readonly sendTimeout: number;
  /** How long a connection can be idle between requests, in milliseconds. */
  readonly keepAliveTimeout: number;
  /** The number of open connections. */
  readonly connections: number;
  /** The size in memory of the requests on a connection that wait for earlier responses, in bytes. */
  readonly queuedBytes: number;
  /** The size in memory of the requests on all connections that wait, in bytes. */
  readonly totalQueuedBytes: number;
}

/** The limits that users get. Tests use others. */
export const LIMITS: Limits = {
  headerBytes: 16_384,
  urlLength: 8_192,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  sendTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connections: 4_000, // 4,096 open files are a common limit, and the store needs some
  queuedBytes: 150_000,
  totalQueuedBytes: 50_000_000,
};
