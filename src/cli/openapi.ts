import process from "node:process";
import { resolvePublicUrl } from "../http/public_url.ts";
import { writeDocument } from "../openapi/write.ts";
import { toLocalUrl, toServerUrl } from "../server/serve/server_url.ts";
import { type Command, defineCommand } from "./command.ts";
import { UsageError } from "./options.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** `openapi`: prints the OpenAPI document that `serve` returns with the same options. */
export const openapiCommand: Command = defineCommand({
  help: "Print the OpenAPI document",
  options: {
    host: SERVE_OPTIONS.host,
    port: SERVE_OPTIONS.port,
    "base-path": SERVE_OPTIONS["base-path"],
    "public-url": SERVE_OPTIONS["public-url"],
    yaml: { help: "Print YAML instead of JSON" },
  },
  async run({ settings }) {
    const { host, port } = settings;
    const { "base-path": basePath = "", "public-url": publicUrl } = settings;
    const serverUrl = toLocalUrl(toServerUrl(host, port, basePath));
    if (publicUrl === undefined && (port === 0 || !URL.canParse(serverUrl))) {
      throw new UsageError(
        `the server URL in the OpenAPI document cannot be "${serverUrl}"; specify another --host or --port, or --public-url`,
      );
    }
    // Clients omit the default port of a scheme, as resolvePublicUrl() does.
    const json = writeDocument(publicUrl ?? resolvePublicUrl(serverUrl));
    if (!settings.yaml) return void process.stdout.write(json);
    const { stringify } = await import("@std/yaml/stringify");
    // Keep long strings on one line, so that all parsers read them the same way.
    process.stdout.write(stringify(JSON.parse(json), { lineWidth: -1 }));
  },
});
