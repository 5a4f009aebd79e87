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
export const LIMITS = {
  /** The size of the target and all headers of a request, in bytes. */
  headerBytes: 16_384,
  /** The length of a request target, in characters. */
  urlLength: 8_192,
  /** The time for the headers of a request to arrive, in milliseconds. */
  headersTimeout: 10_000,
  /** The time for a whole request to arrive, in milliseconds. */
  requestTimeout: 15_000,
  /**
   * How long the system can accept no more of a response, in milliseconds. It can buffer
   * 4 MB, and then waits until the client has read a third of that: 11 kB each second.
   */
  sendTimeout: 120_000,
  /** How long a connection can be idle between requests, in milliseconds. */
  keepAliveTimeout: 5_000,
  /** The number of open connections. 4,096 open files are common, and the store needs some. */
  connections: 4_000,
  /** The size in memory of the requests on a connection that wait for earlier responses, in bytes. */
  queuedBytes: 150_000,
  /** The size in memory of the requests on all connections that wait, in bytes. */
  totalQueuedBytes: 50_000_000,
} as const;

/** The limits of a server, which are others in tests. */
export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;
