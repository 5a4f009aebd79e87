import { Buffer } from "node:buffer";
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { unzipSync } from "fflate";
import { explainFileError } from "../../stores/files/read_file.ts";
import { UsageError } from "../parse_options.ts";
import { isolate, type IsolatedHandler } from "./student_worker.ts";

/** A student's handler, which rejects every request if it cannot be found. */
export interface Student extends IsolatedHandler {
  /** The name of the student's folder or archive. */
  readonly name: string;
  /** The URL of the module, which contains its code. */
  readonly url?: string;
}

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
 * Reads the file `handler.mjs` in a folder, or else the one of each student in it: a
 * folder, a ZIP archive, or a file whose name ends with `.mjs`. Reads all before one runs
 * and could change others. Skips hidden folders and `node_modules`.
 *
 * @param timeout The time limit for each response, in milliseconds.
 * @throws {UsageError} If there are no students, or the folder cannot be read.
 */
export async function openClass(
  folder: string,
  timeout: number,
): Promise<Class> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new UsageError(`cannot read "${folder}": ${explainFileError(error)}`);
  });
  // The repository of a student can also have folders.
  const paths = names.includes(FILE)
    ? [resolve(folder)]
    : names.filter((name) => !isHidden(name)).sort()
      .map((name) => join(folder, name));
  const students: Student[] = [];
  const ignored: string[] = [];
  for (const path of paths) {
    const name = basename(path);
    try {
      const url = /\.mjs$/.test(name) || isArchive(name)
        ? await readModule(path)
        : await findInFolder(path);
      students.push({ name, url, ...isolate(url, timeout) });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ENOTDIR") ignored.push(name);
      else students.push({ name, ...reject(message) });
    }
  }
  if (students.length > 0) return { students, ignored };
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
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.map(({ name }) => name).sort();
  // Some disks would also open Handler.mjs.
  if (names.includes(FILE)) return await readModule(join(folder, FILE));
  const urls: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isArchive(entry.name)) urls.push(await readModule(path));
    else if (entry.isDirectory() && !isHidden(entry.name)) {
      const file = join(path, FILE);
      if ((await readdir(path)).includes(FILE)) {
        urls.push(await readModule(file));
      }
    }
  }
  if (urls.length === 1) return urls[0]!;
  throw new Error(
    urls.length === 0
      ? `${FILE} is missing; found ${names.slice(0, 3).join(", ") || "nothing"}`
      : `${urls.length} folders or archives have a ${FILE}; keep one, or grade this folder`,
  );
}

/**
 * Reads a module, or the one in an archive. Reads no link, which could lead to the file of
 * another student, and no pipe or device, which could have no end.
 *
 * @returns A URL that contains the code.
 */
async function readModule(path: string): Promise<string> {
  try {
    const isModule = !isArchive(path);
    const limit = isModule ? MAX_FILE : MAX_ARCHIVE;
    const file = await lstat(path);
    if (!file.isFile() || file.size > limit) {
      throw new Error(`it is not a file, or is larger than ${limit / 1e6} MB`);
    }
    const content = await readFile(path);
    const code = Buffer.from(isModule ? content : unzipModule(content));
    // Bun reads long URLs only with base64.
    return `data:text/javascript;base64,${code.toString("base64")}`;
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`cannot read ${basename(path)}: ${message}`);
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
