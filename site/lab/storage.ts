// Keeps the learner's code in this browser. The storage can be full or blocked.

/** The start of the names in the storage. */
const KEY = "plant-store-lab/";

/** How many versions are kept for each step. */
const MAX_VERSIONS = 10;

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

/** Keeps code that a button replaces. */
export function keepVersion(name: string, code: string): void {
  const versions = [...readVersions(name), code].slice(-MAX_VERSIONS);
  write(`${name}/versions`, JSON.stringify(versions));
}

/** Removes and returns the last version that is not the current code, or undefined. */
export function takeVersion(name: string, current: string): string | undefined {
  const versions = readVersions(name).filter((code) => code !== current);
  const last = versions.pop();
  write(`${name}/versions`, JSON.stringify(versions));
  return last;
}

function readVersions(name: string): string[] {
  return JSON.parse(read(`${name}/versions`) ?? "[]");
}
