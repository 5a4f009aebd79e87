import { Buffer } from "node:buffer";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { unzipSync } from "fflate";
import { explainFileError } from "../../stores/files/read_file.ts";
import { UsageError } from "../parse_options.ts";
import { isolate, type IsolatedHandler } from "./student_worker.ts";

/** A student's handler, which rejects every request if it cannot be found. */
export interface Student extends IsolatedHandler {
  /** The name of the student's folder or archive. */
  readonly name: string;
}

/** What a folder of a class contains. */
export interface Class {
  readonly students: readonly Student[];
  /** The names of files outside of the students' folders. */
  readonly ignored: readonly string[];
}

/** The file with a student's handler. */
const FILE = "handler.mjs";

/** The paths of the file in an archive. */
const PATHS = /^(?:[^/]+\/)?handler\.mjs$/;

/** The maximum sizes of an archive, and of the file in it, in bytes. */
const MAX_ARCHIVE = 10_000_000, MAX_FILE = 1_000_000;

/**
 * Opens the file `handler.mjs` of each folder and each ZIP archive in a folder, or else
 * the one in the folder itself. Skips hidden folders and `node_modules`.
 *
 * @throws {UsageError} If there are no folders or archives, or the folder cannot be read.
 */
export async function openClass(folder: string): Promise<Class> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new UsageError(`cannot read "${folder}": ${explainFileError(error)}`);
  });
  const students: Student[] = [];
  const ignored: string[] = [];
  for (const name of names.sort()) {
    if (isHidden(name)) continue;
    const path = join(folder, name);
    try {
      const url = isArchive(name)
        ? await findInArchive(path)
        : await findInFolder(path);
      students.push({ name, ...isolate(url) });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ENOTDIR") ignored.push(name);
      else students.push({ name, ...reject(message) });
    }
  }
  if (students.length > 0) return { students, ignored };
  if (ignored.includes(FILE)) {
    const only = { name: basename(folder), ...isolate(toUrl(folder, FILE)) };
    return { students: [only], ignored: [] };
  }
  throw new UsageError(
    `"${folder}" has no subfolders or ZIP archives; add one for each student`,
  );
}

function isHidden(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

function isArchive(name: string): boolean {
  return /\.zip$/i.test(name);
}

/**
 * Finds the module in a student's folder, or else in a folder or an archive there. Some
 * learning platforms add a folder for each student, and the lab gives an archive.
 */
async function findInFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true })
    .catch((error: Error) => {
      if (Object(error).code === "ENOTDIR") throw error;
      throw new Error(`cannot read the folder: ${explainFileError(error)}`);
    });
  const names = entries.map(({ name }) => name).sort();
  // Some disks would also open Handler.mjs.
  if (names.includes(FILE)) return toUrl(folder, FILE);
  const urls: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isArchive(entry.name)) urls.push(await findInArchive(path));
    else if (entry.isDirectory() && !isHidden(entry.name)) {
      if ((await readdir(path)).includes(FILE)) urls.push(toUrl(path, FILE));
    }
  }
  if (urls.length === 1) return urls[0]!;
  throw new Error(
    urls.length === 0
      ? `${FILE} is missing; found ${names.slice(0, 3).join(", ") || "nothing"}`
      : `${urls.length} folders or archives have a ${FILE}; keep one`,
  );
}

function toUrl(...path: string[]): string {
  return pathToFileURL(join(...path)).href;
}

/** Finds the module in an archive. Its URL contains its code, so that nothing is unpacked. */
async function findInArchive(path: string): Promise<string> {
  try {
    const file = await stat(path);
    if (!file.isFile() || file.size > MAX_ARCHIVE) {
      throw new Error("it is not a file, or is larger than 10 MB");
    }
    const code = Buffer.from(unzipModule(await readFile(path)));
    // Bun reads long URLs only with base64.
    return `data:text/javascript;base64,${code.toString("base64")}`;
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`cannot read the archive: ${message}`);
  }
}

/** Returns the module in an archive, which can be from anyone. */
function unzipModule(archive: Uint8Array): Uint8Array {
  let entries = 0, found = 0;
  const [code] = Object.values(unzipSync(archive, {
    filter({ name, size, originalSize }) {
      // The number of entries in the archive can be wrong; each has 46 bytes or more.
      if (++entries * 46 > archive.length) throw new Error("it is damaged");
      if (!PATHS.test(name.replaceAll("\\", "/"))) return false;
      if (++found > 1) {
        throw new Error(`it has several files named ${FILE}; keep one`);
      }
      if (Math.max(size, originalSize) <= MAX_FILE) return true;
      throw new Error(`its ${FILE} is larger than 1 MB`);
    },
  }));
  if (code) return code;
  throw new Error(`it has no ${FILE}`);
}

/** Returns a handler that fails with a message. */
function reject(message: string): IsolatedHandler {
  return { handler: () => Promise.reject(new Error(message)), close() {} };
}
