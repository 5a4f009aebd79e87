import { test } from "node:test";
import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { startServer } from "../../support/command.ts";
import { createCertificate } from "../deploy/certificate.ts";
import { makeFolder } from "../../support/files.ts";
import { createDatabase } from "./database.ts";
import { startDatabaseServer } from "./server.ts";

test("a database over TLS", async (t) => {
  const files = await createCertificate(await makeFolder(t), "localhost");
  const server = await startDatabaseServer(files);
  t.after(() => server.remove());
  const database = await createDatabase(server.url);
  await database.fill([], {});
  const { sql, destroy } = await database.connect();
  t.after(destroy);
  const url = database.url.replace("127.0.0.1", "localhost");
  const trusted = { NODE_EXTRA_CA_CERTS: files.certificate };

  for (
    const [mode, env, expected] of [
      ["disable", {}, 200],
      ["require", {}, 200],
      ["verify-full", {}, 503],
      ["verify-full", trusted, 200],
    ] as const
  ) {
    const name = `${mode}${env === trusted ? ", signer known" : ""}`;
    await t.test(name, async (t) => {
      const running = await startServer(t, [], {
        ...env,
        DATABASE_URL: `${url}?sslmode=${mode}`,
      });
      const { status } = await fetch(`${running.url}readyz`);
      assertEquals(status, expected);
      const kinds = await sql`
        select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
        where datname = current_database() and pid <> pg_backend_pid()`;
      const isSecure = mode !== "disable";
      assertEquals([...kinds], expected === 200 ? [{ ssl: isSecure }] : []);
      running.kill("SIGTERM");
      const { stderr } = await running.ended;
      if (expected === 503) assertMatch(stderr, /self-signed certificate/);
      assertNotMatch(stderr, /s3cret/);
    });
  }
});
