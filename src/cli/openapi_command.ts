import { writeDocument } from "../openapi/write.ts";
import { type Command, defineCommand } from "./command.ts";
import { SERVE_OPTIONS } from "./serve_options.ts";

/** `openapi`: prints the OpenAPI document that `serve` returns for the demo data. */
export const openapiCommand: Command = defineCommand({
  help: "Print the OpenAPI document",
  options: {
    "public-url": {
      ...SERVE_OPTIONS["public-url"],
      default:
        `http://${SERVE_OPTIONS.host.default}:${SERVE_OPTIONS.port.default}`,
      help: "Use URL as the server URL in the document",
    },
  },
  run({ settings }) {
    console.log(writeDocument(settings["public-url"]).trimEnd());
  },
});
