import { deflateSync, inflateSync, strFromU8, strToU8, zipSync } from "fflate";
import test from "../../examples/lesson/step-4/handler_test.mjs?raw";
import plants from "../../examples/lesson/step-4/plants.json?raw";
import server from "../../examples/lesson/step-4/server.mjs?raw";
import tokens from "../../examples/lesson/step-4/tokens.json?raw";

/** The maximum size of code in a link, in bytes. */
const MAX_CODE = 100_000;

export { plants, tokens };

/** Creates an archive whose files run with `node server.mjs` and `node --test`. */
export function createArchive(handler: string): Blob {
  const files = {
    "handler.mjs": handler,
    "handler_test.mjs": test,
    "server.mjs": server,
    "plants.json": plants,
    "tokens.json": tokens,
  };
  const entries = Object.entries(files)
    .map(([name, text]) => [`my-store/${name}`, strToU8(text)]);
  return new Blob([zipSync(Object.fromEntries(entries))]);
}

/** Compresses code for the fragment of a URL. */
export function pack(code: string): string {
  return btoa(strFromU8(deflateSync(strToU8(code)), true))
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns the code in the fragment of a URL, at most `MAX_CODE` bytes. */
export function unpack(fragment: string): string {
  const base64 = fragment.replaceAll("-", "+").replaceAll("_", "/");
  try {
    const bytes = strToU8(atob(base64), true);
    return strFromU8(inflateSync(bytes, { out: new Uint8Array(MAX_CODE) }));
  } catch {
    return "// The link is damaged. Copy it again.\n";
  }
}
