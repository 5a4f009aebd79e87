import type { Admin } from "../stores/postgres/admin.ts";
import { UsageError } from "./options.ts";

/** Does something with the database that has to be named. */
export async function requireDatabase<T>(
  url: string | undefined,
  task: (admin: Admin) => Promise<T>,
): Promise<T> {
  if (url === undefined) {
    throw new UsageError("--database-url or DATABASE_URL is missing");
  }
  const { withDatabase } = await import("../stores/postgres/admin.ts");
  return await withDatabase(url, task);
}
