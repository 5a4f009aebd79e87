import { writeDocument } from "../openapi/write.ts";
import { DEFAULTS } from "../server/runtimes/defaults.ts";
import { type Command, defineCommand } from "./command.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

const { host, port } = DEFAULTS;

/** `openapi`: prints the OpenAPI document that `serve` returns for the demo data. */
export const openapiCommand: Command = defineCommand({
  help: "Print the OpenAPI document",
  options: {
    "public-url": {
      ...SERVE_OPTIONS["public-url"],
      default: `http://${host}:${port}`,
      help: "Use URL as the server URL in the document",
    },
  },
  run({ settings }) {
    console.log(writeDocument(settings["public-url"]).trimEnd());
  },
});
