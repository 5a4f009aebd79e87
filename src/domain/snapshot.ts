import type { Access } from "./access.ts";
import type { Catalog } from "./catalog.ts";
import type { EncodedList, Viewer } from "./store.ts";

/** The user that a token belongs to. */
export interface Credential {
  /** The name of the user. */
  readonly user: string;
  /** The plants that the user can see. */
  readonly access: Access;
  /** When the token expires, in milliseconds since 1970. Default: never. */
  readonly expires?: number;
}

/** A catalog and its users at one moment. It never changes. */
export interface Snapshot {
  /** Returns the user that a token belongs to, or `undefined` if it is not valid. */
  authenticate(token: string): Viewer | undefined;
}

/** How a snapshot finds credentials. */
export interface SnapshotOptions {
  /** Returns the key of a token in the credentials. Default: the token. */
  readonly keyOf?: (token: string) => string;
  /** Returns the time, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A viewer and when its token expires. */
interface KnownViewer {
  readonly viewer: Viewer;
  readonly expires: number;
}

/** The maximum size of the viewers that are kept, with their lists. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The approximate size of a viewer without its list. */
const VIEWER_BYTES = 500;

/**
 * Creates a snapshot.
 *
 * @param catalog The plants. Several snapshots can share a catalog.
 * @param credentials The credentials by the keys of their tokens.
 */
export function createSnapshot(
  catalog: Catalog,
  credentials: ReadonlyMap<string, Credential>,
  { keyOf = (token) => token, now = Date.now }: SnapshotOptions = {},
): Snapshot {
  // The viewers of valid tokens, which saves the digest of the token (1 µs), each
  // with its last list, which saves copying and hashing it (10 µs). Viewers that
  // are used move to the recent ones; the others go when those become too large.
  let recent = new Map<string, KnownViewer>();
  let previous = new Map<string, KnownViewer>();
  let recentBytes = 0;

  function add(bytes: number): void {
    recentBytes += bytes;
    if (recentBytes <= MAX_BYTES / 2) return;
    previous = recent;
    recent = new Map();
    recentBytes = 0;
  }

  function find(token: string): KnownViewer | undefined {
    let known = recent.get(token);
    if (known) return known;
    known = previous.get(token);
    if (!known) {
      const credential = credentials.get(keyOf(token));
      if (!credential) return undefined;
      const { expires = Infinity } = credential;
      known = { viewer: createViewer(credential), expires };
    }
    recent.set(token, known);
    add(VIEWER_BYTES);
    return known;
  }

  function createViewer({ user, access }: Credential): Viewer {
    let lastCount = -1;
    let lastList: EncodedList | undefined;

    function keep(list: EncodedList, count: number): EncodedList {
      if (count === lastCount && list.byteLength <= MAX_BYTES / 2) {
        lastList = list;
        add(list.byteLength);
      }
      return list;
    }

    return {
      user,
      list(limit = catalog.size) {
        const count = Math.min(limit, catalog.size);
        if (count !== lastCount) {
          // Keep a list only if it is requested again: most are requested once.
          lastCount = count;
          lastList = undefined;
          return catalog.list(access, count);
        }
        if (lastList) return lastList;
        const list = catalog.list(access, count);
        return list instanceof Promise
          ? list.then((list) => keep(list, count))
          : keep(list, count);
      },
    };
  }

  return {
    authenticate(token) {
      const known = find(token);
      if (!known) return undefined;
      const { viewer, expires } = known;
      return now() < expires ? viewer : undefined;
    },
  };
}

/** The snapshot that is in use. */
export interface CurrentSnapshot extends Snapshot {
  /** Replaces the snapshot. Viewers keep the one that they come from. */
  replace(snapshot: Snapshot): void;
}

/** Creates a snapshot that can be replaced. */
export function createCurrentSnapshot(): CurrentSnapshot {
  let current: Snapshot | undefined;
  return {
    authenticate: (token) => current?.authenticate(token),
    replace(snapshot) {
      current = snapshot;
    },
  };
}
