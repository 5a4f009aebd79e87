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

/**
 * A catalogue and its users at one moment. It never changes: a store that has
 * news builds another one and puts it in the place of this.
 */
export interface Snapshot {
  /** What the owner of `key` may see, or undefined when the key is not valid now. */
  view(key: string): View | undefined;
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
  const views = new Map<Credential, View>();

  function createView({ user, access }: Credential): View {
    let selection = selections.get(access);
    if (!selection) {
      selection = catalogue.select(access);
      selections.set(access, selection);
    }
    return { user, list: selection.list };
  }

  return {
    view(key) {
      const credential = credentials.get(key);
      if (!credential) return undefined;
      if (credential.expires !== undefined && now() >= credential.expires) {
        return undefined;
      }
      let view = views.get(credential);
      if (!view) views.set(credential, view = createView(credential));
      return view;
    },
  };
}
