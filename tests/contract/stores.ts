import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileStore, openFileStore } from "../../src/stores/files.ts";
import { PLANTS, USERS } from "../../src/verify/data.ts";
import { type Files, writeFilesIn } from "../support/files.ts";
import { addRuntime } from "./runtime.ts";

/** Returns the digest of a token, as in a tokens file. */
export function digest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Writes the two files of the contract and returns their paths. */
export function writeContract(folder: string): Promise<Files> {
  const users = Object.entries(USERS).map(([user, record]) => {
    const tokens = record.tokens.map((each) => {
      const { token, expires = "2999-01-01" } = typeof each === "string"
        ? { token: each }
        : each as { readonly token: string; readonly expires?: string };
      return { sha256: digest(token), expires };
    });
    return [user, { ...record, tokens }] as const;
  });
  const tokens = Object.fromEntries(users);
  return writeFilesIn(folder, { plants: PLANTS, tokens });
}

/** Opens the store of the contract in two files; closing it removes them. */
export async function openFiles(): Promise<FileStore> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-"));
  const files = await writeContract(folder);
  const store = await openFileStore(files);
  return {
    ...addRuntime(store),
    async close() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}
