import { encodeList } from "./encode.ts";
import type { EncodedList } from "./store.ts";

/** Encoded lists by a number; those unused for longest go first. */
export interface ListCache {
  get(key: number): EncodedList | Promise<EncodedList> | undefined;
  /** Encodes `body` and remembers the list while there is room. */
  keep(key: number, body: Uint8Array<ArrayBuffer>): Promise<EncodedList>;
}

/** What an entry takes beside its body, about, in bytes. */
const OVERHEAD = 500;

/** Creates a cache whose bodies have at most `maxBytes` together. */
export function createListCache(maxBytes: number): ListCache {
  interface Entry {
    readonly byteLength: number;
    list: EncodedList | Promise<EncodedList>;
  }
  // A Map iterates in the order of insertion: the first entry is the oldest.
  const entries = new Map<number, Entry>();
  let bytes = 0;

  function drop(key: number): Entry | undefined {
    const entry = entries.get(key);
    if (entry && entries.delete(key)) bytes -= entry.byteLength;
    return entry;
  }

  function add(key: number, entry: Entry): void {
    entries.set(key, entry);
    bytes += entry.byteLength;
  }

  return {
    get(key) {
      const entry = drop(key);
      if (entry) add(key, entry);
      return entry?.list;
    },
    keep(key, body) {
      const list = encodeList(body);
      const entry: Entry = { byteLength: body.byteLength + OVERHEAD, list };
      if (entry.byteLength <= maxBytes) add(key, entry);
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
      return list.then((encoded) => entry.list = encoded);
    },
  };
}
