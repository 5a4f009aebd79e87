/**
 * What clients may take of a server. Runtimes without a limit of a kind leave
 * that one out: `docs/reliability.md` has a table of them.
 */
export interface Limits {
  /** The most bytes of a request line and its header fields; more is answered 431. Default: 16384. */
  readonly headerSize?: number;
  /** The most characters of a request target, its scheme and authority left out; more is answered 414. Default: 8192. */
  readonly urlLength?: number;
  /** The most bytes of a body that are read, unasked for, to keep the connection. Default: 65536. */
  readonly bodySize?: number;
  /** How long header fields may take to arrive, in milliseconds; then 408. Default: 10000. */
  readonly headersTimeout?: number;
  /** How long a whole request may take to arrive, in milliseconds; then 408. Default: 15000. */
  readonly requestTimeout?: number;
  /** How long a connection may wait for its next request, in milliseconds. Default: 5000. */
  readonly keepAliveTimeout?: number;
  /** The most connections at a time; more are closed as they come. Default: 4096. */
  readonly connections?: number;
}

const DEFAULTS: Required<Limits> = {
  headerSize: 16_384,
  urlLength: 8_192,
  bodySize: 65_536,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connections: 4_096,
};

/** The greatest number that a timer takes. */
const MAX = 2 ** 31 - 1;

/**
 * Checks limits, and completes them with their defaults.
 *
 * @throws {RangeError} When one has another name or can't be used.
 */
export function resolveLimits(limits: Limits = {}): Required<Limits> {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      throw new RangeError(
        `there is no limit ${JSON.stringify(name)}: there are ${
          Object.keys(DEFAULTS).join(", ")
        }`,
      );
    }
    if (!Number.isInteger(value) || value < 1 || value > MAX) {
      throw new RangeError(
        `${name} must be a whole number from 1 to ${MAX}, not ${value}`,
      );
    }
  }
  const resolved = { ...DEFAULTS, ...limits };
  if (resolved.headersTimeout > resolved.requestTimeout) {
    throw new RangeError(
      "headersTimeout must not be greater than requestTimeout",
    );
  }
  return resolved;
}

/**
 * Reads limits from the command line.
 *
 * @param text Such as `connections=500,urlLength=2048`.
 * @throws {RangeError} As {@linkcode resolveLimits} does.
 */
export function parseLimits(text: string): Required<Limits> {
  return resolveLimits(Object.fromEntries(
    text.split(",").map((part) => {
      const [, name = part, digits = ""] = /^(\w+)=([0-9]+)$/.exec(part) ?? [];
      return [name, digits === "" ? NaN : Number(digits)];
    }),
  ));
}
