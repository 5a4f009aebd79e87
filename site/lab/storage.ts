// Keeps the learner's code in this browser. The storage can be full or blocked.

/** The start of the names in the storage, with the version of what they contain. */
const KEY = "plant-store-lab/1/";

export function read(name: string): string | undefined {
  try {
    return localStorage.getItem(KEY + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text. Returns whether the browser keeps it. */
export function write(name: string, text: string): boolean {
  try {
    localStorage.setItem(KEY + name, text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the code in the stored state of an editor. */
export function readCode(name: string): string | undefined {
  return JSON.parse(read(name) ?? "{}").doc;
}
