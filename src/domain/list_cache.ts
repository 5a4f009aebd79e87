import type { AddEtag } from "./etag.ts";
import type { EncodedList } from "./store.ts";

/** Encoded lists by a key; those that nobody asked for again go first. */
export interface ListCache {
  get(key: string): EncodedList | Promise<EncodedList> | undefined;
  /** Gives `body` its tag and remembers the list while there is room. */
  keep(
    key: string,
    body: Uint8Array<ArrayBuffer>,
  ): EncodedList | Promise<EncodedList>;
}

/** What an entry takes beside its body, about, in bytes. */
const OVERHEAD = 500;

/** Creates a cache whose bodies have at most `maxBytes` together. */
export function createListCache(maxBytes: number, add: AddEtag): ListCache {
  interface Entry {
    readonly byteLength: number;
    list: EncodedList | Promise<EncodedList>;
    /** Whether it was asked for since it came or was last passed over. */
    isWanted: boolean;
  }
  // A Map iterates in the order of insertion: the first entry is the oldest.
  const entries = new Map<string, Entry>();
  let bytes = 0;

  /** Drops the oldest until all fit; those that are wanted get another turn. */
  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (bytes <= maxBytes) return;
      entries.delete(key);
      if (entry.isWanted) {
        entry.isWanted = false;
        entries.set(key, entry);
      } else {
        bytes -= entry.byteLength;
      }
    }
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry) entry.isWanted = true;
      return entry?.list;
    },
    keep(key, body) {
      const list = add(body);
      const byteLength = body.byteLength + OVERHEAD;
      const entry: Entry = { byteLength, list, isWanted: false };
      if (byteLength <= maxBytes) {
        entries.set(key, entry);
        bytes += byteLength;
        makeRoom();
      }
      if (!(list instanceof Promise)) return list;
      return list.then((encoded) => entry.list = encoded);
    },
  };
}
