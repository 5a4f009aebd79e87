import { clearInterval, setInterval } from "node:timers";
import {
  type Client,
  createClient,
  explainDatabaseError,
  loadPg,
  NO_IMPORT,
} from "./pg_client.ts";

/** The only row of the table, as text. Each import replaces it and sets a new version. */
type Content = Readonly<Record<"version" | "plants" | "users", string>>;

/**
 * Deletes the row. If the table has no key, which limits it to one row, creates both
 * first; later imports need fewer privileges. Another import waits for this one. If
 * this machine is lost, the database ends the import.
 */
const START = `
  begin;
  set local idle_in_transaction_session_timeout = '1min';
  select pg_advisory_xact_lock(7526879021);
  do $$ begin
    if not exists (
      select from pg_constraint
      where conrelid = to_regclass('plant_store.content') and contype = 'p'
    ) then
      create schema if not exists plant_store;
      create table if not exists plant_store.content
        (version uuid not null, plants json not null, users json not null);
      truncate plant_store.content;
      alter table plant_store.content
        add id int primary key default 1 check (id = 1);
    end if;
  end $$;
  delete from plant_store.content`;

const PUBLISH = `
  insert into plant_store.content values (gen_random_uuid(), $1, $2)`;

/** Publishes the JSON text of the plants and users. */
export async function publish(
  url: string,
  plants: string,
  users: string,
): Promise<void> {
  const client = createClient(await loadPg(), url);
  client.on("error", () => {}); // the query fails, too
  try {
    await client.connect();
    await client.query(START);
    await client.query(PUBLISH, [plants, users]);
    await client.query("commit");
  } catch (error) {
    throw explainDatabaseError(error);
  } finally {
    await client.end();
  }
}

/** Selects columns of the content. The database cancels a query that takes too long. */
export async function selectContent(
  client: Client,
  columns: string,
  timeout: number,
): Promise<Content> {
  const results: unknown = await within(
    timeout,
    client.query(
      `set local statement_timeout = ${timeout};
      select ${columns} from plant_store.content`,
    ),
  );
  const [, { rows: [row] }] = results as [
    unknown,
    { readonly rows: Content[] },
  ];
  if (!row) throw new Error(NO_IMPORT);
  return row;
}

/** The time between checks for whether a promise has taken too long. */
const CHECK_MS = 100;

/**
 * Rejects if a promise is not settled after a time in milliseconds. The time during
 * which this process is busy does not count.
 */
export function within<T>(timeout: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let checks = 0;
    const timer = setInterval(() => {
      checks++;
      if (checks * CHECK_MS < timeout) return;
      reject(new Error("the database did not respond in time"));
    }, CHECK_MS);
    promise.finally(() => clearInterval(timer)).then(resolve, reject);
  });
}
