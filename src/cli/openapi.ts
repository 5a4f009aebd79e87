import process from "node:process";
import { resolvePublicUrl } from "../answer/base_url.ts";
import { toLocalUrl, toServerUrl } from "../listen/server_url.ts";
import { writeDocument } from "../openapi/write.ts";
import { type Command, defineCommand } from "./command.ts";
import { SERVE_OPTIONS } from "./options.ts";

/** `openapi`: prints the document that `serve` answers with, given the same options. */
export const openapiCommand: Command = defineCommand({
  options: {
    host: SERVE_OPTIONS.host,
    port: SERVE_OPTIONS.port,
    "base-path": SERVE_OPTIONS["base-path"],
    "public-url": SERVE_OPTIONS["public-url"],
  },
  run({ settings }) {
    const { host, port } = settings;
    const { "base-path": basePath = "", "public-url": publicUrl } = settings;
    const serverUrl = toServerUrl(host!, port!, basePath);
    // A client leaves the port out where it is that of the scheme.
    const baseUrl = publicUrl ?? resolvePublicUrl(toLocalUrl(serverUrl));
    process.stdout.write(writeDocument(baseUrl));
    return Promise.resolve(0);
  },
});
