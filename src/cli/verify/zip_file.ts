import type { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";

/** The maximum size of a file in an archive, in bytes. */
const MAX_SIZE = 1_000_000;

/**
 * Returns the text of the only file in a ZIP archive whose path matches, or undefined.
 * The archive can be from anyone: nothing is written, and a large file is an error.
 *
 * @throws {Error} If the archive is damaged, or if several paths match.
 */
export function readZipFile(archive: Buffer, path: RegExp): string | undefined {
  // The directory is at the end, where a comment can follow it.
  const end = archive.lastIndexOf("PK\x05\x06");
  const count = archive.readUInt16LE(end + 10); // at most 65,535
  let entry = archive.readUInt32LE(end + 16);
  const found: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = entry + 46;
    const length = archive.readUInt16LE(entry + 28);
    const name = archive.toString("utf8", start, start + length);
    if (path.test(name.replaceAll("\\", "/"))) found.push(entry);
    entry = start + length + archive.readUInt16LE(entry + 30) +
      archive.readUInt16LE(entry + 32);
  }
  if (found.length > 1) {
    throw new Error("it has several files named handler.mjs; keep one");
  }
  return found[0] === undefined ? undefined : readEntry(archive, found[0]);
}

/** Returns the text of a file, from its entry in the directory. */
function readEntry(archive: Buffer, entry: number): string {
  const method = archive.readUInt16LE(entry + 10);
  const size = archive.readUInt32LE(entry + 20);
  const header = archive.readUInt32LE(entry + 42);
  const start = header + 30 + archive.readUInt16LE(header + 26) +
    archive.readUInt16LE(header + 28);
  const data = archive.subarray(start, start + size);
  if (method === 8) { // deflated
    return inflateRawSync(data, { maxOutputLength: MAX_SIZE }).toString();
  }
  if (method === 0 && size <= MAX_SIZE) return data.toString();
  throw new Error(
    "handler.mjs is larger than 1 MB, or its compression is not supported",
  );
}
