import type { Holder, Snapshot } from "../domain/snapshot.ts";
import type { View } from "../domain/store.ts";
import { digest } from "./digest.ts";

/** How many tokens are remembered. */
const MAX_REMEMBERED = 10_000;

/** Finds the view of a token in a snapshot that knows tokens by their digests. */
export function viewByToken(
  snapshot: Snapshot,
): (token: string) => View | undefined {
  // A digest costs more than the rest of an answer. Valid tokens alone are
  // remembered, so that strangers can't fill this.
  const remembered = new Map<string, Holder>();
  return (token) => {
    const known = remembered.get(token);
    if (known) return known.view();
    const holder = snapshot.find(digest(token));
    const view = holder?.view();
    if (holder && view && remembered.size < MAX_REMEMBERED) {
      remembered.set(token, holder);
    }
    return view;
  };
}
