/** The default server options for the library and the command line. */
export const DEFAULTS = {
  host: "127.0.0.1",
  port: 8_000,
  /** In milliseconds. */
  shutdownTimeout: 10_000,
  /** In milliseconds. */
  shutdownDelay: 0,
} as const;

/**
 * Limits on client requests (docs/operating.md), in bytes, characters, and milliseconds.
 * Not every runtime enforces all of them.
 */
export const LIMITS = {
  /** The size of the target and all headers of a request. */
  headerBytes: 16_384,
  urlLength: 8_192,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  /**
   * How long the system can accept no more of a response. It can buffer 4 MB, and then
   * waits until the client has read a third of that: 11 kB each second.
   */
  sendTimeout: 120_000,
  keepAliveTimeout: 5_000,
  /** The number of open connections. 4,096 open files are common, and the store needs some. */
  connections: 4_000,
  /** The size in memory of the requests on a connection that wait for earlier responses. */
  queuedBytes: 150_000,
  /** The size in memory of the requests on all connections that wait. */
  totalQueuedBytes: 50_000_000,
} as const;

/** The limits of a server. Tests use other values. */
export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;
