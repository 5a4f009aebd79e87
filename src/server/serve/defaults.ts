/** The default server options for the library and the command line. */
export const DEFAULTS = {
  host: "127.0.0.1",
  port: 8_000,
  /** In milliseconds. */
  deadline: 10_000,
  /** In milliseconds. */
  drainDelay: 0,
} as const;
