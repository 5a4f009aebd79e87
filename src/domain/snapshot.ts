import type { Access } from "./access.ts";
import type { Catalog } from "./catalog.ts";
import type { EncodedList, Viewer } from "./store.ts";

/** The user that a token belongs to. */
export interface Credential {
  /** The name of the user. */
  readonly user: string;
  /** The plants that the user can see. */
  readonly access: Access;
  /** When the token expires, in milliseconds since the Unix epoch. Default: never. */
  readonly expires?: number;
}

/** A catalog and its users at one point in time. It never changes. */
export interface Snapshot {
  /** Returns the user for a token, or `undefined` if the token is not valid. */
  authenticate(token: string): Viewer | undefined;
}

/** Options for {@linkcode createSnapshot}. */
export interface SnapshotOptions {
  /** Returns the key under which the credentials for a token are stored. Default: the token. */
  readonly keyOf?: (token: string) => string;
  /** Returns the current time, in milliseconds since the Unix epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A viewer, the expiration time of its token, and the size of its cached list. */
interface KnownViewer {
  readonly viewer: Viewer;
  readonly expires: number;
  readonly listBytes: () => number;
}

/** The maximum total size of cached viewers and their lists, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The approximate size of a viewer without its list, in bytes. */
const VIEWER_BYTES = 500;

/**
 * Creates a snapshot.
 *
 * @param catalog The plants. Several snapshots can share a catalog.
 * @param credentials The credentials, by the key of the token.
 */
export function createSnapshot(
  catalog: Catalog,
  credentials: ReadonlyMap<string, Credential>,
  { keyOf = (token) => token, now = Date.now }: SnapshotOptions = {},
): Snapshot {
  // Cache the viewer for each valid token, which saves hashing the token (1 µs),
  // and its last list, which saves copying and hashing the list (10 µs). Each use
  // moves a viewer to `recent`. When `recent` is full, it replaces `previous`.
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
      known = { ...createViewer(credential), expires };
    }
    recent.set(token, known);
    add(VIEWER_BYTES + known.listBytes());
    return known;
  }

  function createViewer(
    { user, access }: Credential,
  ): Pick<KnownViewer, "viewer" | "listBytes"> {
    let lastCount = -1;
    let lastList: EncodedList | undefined;

    function keep(list: EncodedList, count: number): EncodedList {
      if (count === lastCount && list.byteLength <= MAX_BYTES / 2) {
        lastList = list;
        add(list.byteLength);
      }
      return list;
    }

    const viewer: Viewer = {
      user,
      list(limit = catalog.size) {
        const count = Math.min(limit, catalog.size);
        if (count !== lastCount) {
          // Cache a list on its second use, because most lists are used only once.
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
    return { viewer, listBytes: () => lastList?.byteLength ?? 0 };
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

/** The snapshot in use. */
export interface CurrentSnapshot extends Snapshot {
  /** Replaces the snapshot. Existing viewers keep using the previous one. */
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
