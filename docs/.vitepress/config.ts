import { createConfig } from "../../site/config.ts";

/** The pages in docs, except the home page, by the heading in the sidebar. */
export default createConfig({
  Learn: ["tutorial", "lesson", "worksheet", "errors", "playgrounds"],
  Build: ["http-api", "embedding", "testing", "verify"],
  Run: ["operating", "deploying", "runtimes"],
  Understand: ["internals", "decisions", "comparison"],
});
