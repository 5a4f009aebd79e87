import type { Access } from "./access.ts";
import type { Catalogue, Selection } from "./catalogue.ts";
import type { View } from "./store.ts";

/** Whom a token stands for. */
export interface Credential {
  /** The user's name. */
  readonly user: string;
  /** What the user may see: one object for all tokens of a user. */
  readonly access: Access;
  /** The moment from which the token is refused, in milliseconds since 1970. */
  readonly expires?: number;
}

/** A credential of a snapshot. */
export interface Holder {
  /** What its owner may see, or undefined when it is not valid now. */
  view(): View | undefined;
}

/**
 * A catalogue and its users at one moment. It never changes: a store that has
 * news builds another one and puts it in the place of this.
 */
export interface Snapshot {
  /** The holder that the store knows by `key`. */
  find(key: string): Holder | undefined;
}

/**
 * Builds a snapshot.
 *
 * @param catalogue The plants; it may be that of another snapshot.
 * @param credentials By whatever the store knows a token by: a digest, say.
 * @param now The clock, in milliseconds since 1970.
 */
export function createSnapshot(
  catalogue: Catalogue,
  credentials: ReadonlyMap<string, Credential>,
  now: () => number = Date.now,
): Snapshot {
  const selections = new Map<Access, Selection>();
  const holders = new Map<string, Holder>();

  function createHolder({ user, access, expires }: Credential): Holder {
    let selection = selections.get(access);
    if (!selection) {
      selection = catalogue.select(access);
      selections.set(access, selection);
    }
    const view: View = { user, list: selection.list };
    if (expires === undefined) return { view: () => view };
    return { view: () => now() < expires ? view : undefined };
  }

  return {
    find(key) {
      let holder = holders.get(key);
      if (holder) return holder;
      const credential = credentials.get(key);
      if (!credential) return undefined;
      holder = createHolder(credential);
      holders.set(key, holder);
      return holder;
    },
  };
}
