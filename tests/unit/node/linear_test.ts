import { Session } from "node:inspector/promises";
import { after, test } from "node:test";
import { assert } from "@std/assert";

// Long files take linear time: eight times as much text takes about eight times as
// many steps. A step is an execution of a block of JavaScript, which V8 counts.

const SIZE = 500, FACTOR = 8, MAX_RATIO = 12;

const session = new Session();
session.connect();
after(() => session.disconnect());
await session.post("Profiler.enable");
const counting = { callCount: true, detailed: true };
await session.post("Profiler.startPreciseCoverage", counting);
// V8 counts the blocks of modules that it compiles from now on.
const { parsePlants, parseTokens } = await import(
  "../../../src/stores/files/store_files.ts"
);
const { StoreFileError } = await import(
  "../../../src/stores/files/file_error.ts"
);

/** Returns the number of steps that a parser takes. */
async function countSteps(
  parse: typeof parsePlants | typeof parseTokens,
  text: string,
): Promise<number> {
  const bytes = new TextEncoder().encode(text);
  await session.post("Profiler.takePreciseCoverage"); // resets the counts
  try {
    await parse("a file", bytes);
  } catch (error) {
    if (!(error instanceof StoreFileError)) throw error; // the text may be invalid
  }
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result.flatMap(({ functions }) => functions)
    .flatMap(({ ranges }) => ranges)
    .reduce((sum, { count }) => sum + count, 0);
}

/** Returns a function that joins `size` texts with commas. */
const join = (write: (at: number) => string) => (size: number) =>
  Array.from({ length: size }, (_, at) => write(at)).join(",\n");

const plants = join((at) => `{"name": "plant ${at}", "tag": "tag ${at}"}`);
const invalid = join(() => '{"name": "", "name": ""}');
const keys = join((at) => `"key ${at}": 1`);
const users = join((at) =>
  `"user ${at}": {"plants": {}, "tokens": ["t${at}"]}`
);
const sameToken = join((at) => `"user ${at}": {"plants": {}, "tokens": ["t"]}`);

for (
  const [name, parse, create] of [
    ["plants", parsePlants, (n) => `[${plants(n)}]`],
    ["invalid plants", parsePlants, (n) => `[${invalid(n)}]`],
    ["a plant with many keys", parsePlants, (n) => `[{${keys(n)}}]`],
    ["damaged plants", parsePlants, (n) => `[${plants(n)}"`],
    ["users", parseTokens, (n) => `{${users(n)}}`],
    ["duplicate tokens", parseTokens, (n) => `{${sameToken(n)}}`],
  ] as readonly (readonly [
    name: string,
    parse: typeof parsePlants | typeof parseTokens,
    create: (size: number) => string,
  ])[]
) {
  test(`the number of steps for ${name} is linear`, async () => {
    const short = await countSteps(parse, create(SIZE));
    const long = await countSteps(parse, create(SIZE * FACTOR));
    assert(short > SIZE, `${short} steps`);
    assert(long / short <= MAX_RATIO, `${short} steps, then ${long}`);
  });
}
