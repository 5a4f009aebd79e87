import { createConfig } from "../../site/config.ts";

/** The pages in docs, except the home page, by the heading in the sidebar. */
export default createConfig({
  Learn: ["tutorial", "lab", "teaching", "worksheet", "playgrounds"],
  Build: ["http-api", "library", "verify"],
  Run: ["operating"],
});
