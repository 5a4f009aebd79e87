import { createConfig } from "../../site/config.ts";

/** The pages in docs, except the home page, by the heading and the text in the sidebar. */
export default createConfig({
  Learn: {
    Tutorial: "tutorial",
    Lab: "lab",
    Teaching: "teaching",
    Worksheet: "worksheet",
    Playgrounds: "playgrounds",
  },
  Build: { "HTTP API": "http-api", Library: "library", Verify: "verify" },
  Run: { Operating: "operating" },
});
