export { levenshteinDistance } from "deno-std/text/levenshtein_distance.js";
