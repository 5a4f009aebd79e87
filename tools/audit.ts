import { spawnSync } from "node:child_process";
import process from "node:process";

// Looks up advisories for the runtime and development dependencies. Exits with
// status 0 if there are none, 1 if there are some, and 3 if the registry cannot be
// reached.

const { stdout, stderr } = spawnSync(
  "npm",
  ["audit", "--json", "--fetch-retries=1"],
  { encoding: "utf8" },
);

/** An advisory, or the name of a dependency with an advisory. */
type Cause = string | { readonly title: string; readonly url: string };

interface Report {
  readonly auditReportVersion?: number;
  readonly message?: string;
  readonly vulnerabilities?: Readonly<
    Record<
      string,
      { readonly severity: string; readonly via: readonly Cause[] }
    >
  >;
}

function parse(text: string): Report {
  try {
    return JSON.parse(text);
  } catch {
    return { message: stderr.trim().split("\n").at(-1) ?? "" };
  }
}

const { auditReportVersion, message, vulnerabilities } = parse(stdout);
if (auditReportVersion === undefined) {
  console.error(`audit: cannot retrieve advisories: ${message}`);
  process.exitCode = 3;
} else {
  const found = Object.entries(vulnerabilities ?? {});
  for (const [name, { severity, via }] of found) {
    const causes = via.map((cause) =>
      typeof cause === "string" ? `via ${cause}` : `${cause.title} ${cause.url}`
    );
    console.error(`audit: ${name}: ${severity}: ${causes.join(", ")}`);
  }
  console.log(`audit: ${found.length} packages with advisories`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
