import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { assertEquals } from "@std/assert";
import { quoteForShell } from "../../../src/shared/shell.ts";

test("quoteForShell() returns a word that a shell reads as the text", () => {
  const characters = [..."a /?'\"$`\\!%&;|<>(){}[]*~#-é\t\r\n"];
  const parts = characters.flatMap((each) => [each, each.repeat(100)]);
  const texts = parts.flatMap((part) =>
    [";false)", "';false)", "\t';false)"].map((end) => `x${part}${end}`)
  );
  const command = `printf '%s\\0' ${texts.map(quoteForShell).join(" ")}`;
  const printed = execFileSync("sh", ["-c", command], { encoding: "utf8" });
  assertEquals(printed.split("\0").slice(0, -1), texts);
});
