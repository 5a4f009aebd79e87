import { test } from "node:test";
import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { startServer } from "../../support/command.ts";
import { makeFolder } from "../../support/files.ts";
import { createCertificate } from "../deploy/certificate.ts";
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
    const [description, mode, env, expected] of [
      ["disable connects without TLS", "disable", {}, 200],
      ["require accepts any certificate", "require", {}, 200],
      ["verify-full rejects an unknown issuer", "verify-full", {}, 503],
      ["verify-full accepts a known issuer", "verify-full", trusted, 200],
    ] as const
  ) {
    await t.test(description, async (t) => {
      const running = await startServer(t, [], {
        ...env,
        DATABASE_URL: `${url}?sslmode=${mode}`,
      });
      const { status } = await fetch(`${running.url}readyz`);
      assertEquals(status, expected);
      const connections = await sql`
        select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
        where datname = current_database() and pid <> pg_backend_pid()`;
      const ssl = mode !== "disable";
      assertEquals([...connections], expected === 200 ? [{ ssl }] : []);
      running.kill("SIGTERM");
      const { stderr } = await running.ended;
      if (expected === 503) assertMatch(stderr, /self-signed certificate/);
      assertNotMatch(stderr, /s3cret/);
    });
  }
});
