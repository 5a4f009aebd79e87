import process from "node:process";

// Checks that no input costs more than linear time.

/** The size of the shorter inputs, in characters. */
const SIZE = 1_000;

/** The ratio of the sizes of the longer and shorter inputs, and the maximum ratio of their times. */
const FACTOR = 8, MAX_RATIO = 24;

/** The number of measurements of each time. The minimum counts. */
const RUNS = 5;

/** The characters of all bytes, as they appear in headers and targets. */
const BYTES: readonly string[] = Array.from(
  { length: 256 },
  (_, code) => String.fromCharCode(code),
);

/** Different letters, for which the conversion to Punycode is quadratic. */
const LETTERS = String.fromCharCode(
  ...Array.from({ length: SIZE * FACTOR }, (_, at) => 0x4e00 + at * 7 % 20_000),
);

/** Code that receives text from a client, a file, or an option. */
export interface Subject {
  /** Receives the text. Errors do not matter. */
  run(text: string): unknown;
  /** Text before the generated text, which makes it pass earlier checks. */
  readonly prefix?: string;
  /** The characters to repeat. Default: those of all bytes. */
  readonly bytes?: readonly string[];
  /** The separators of the grammar, and other short texts with special meanings. */
  readonly separators?: readonly string[];
}

/** The name of an input, and a function that creates it in a size. */
type Shape = readonly [name: string, create: (size: number) => string];

function createShapes(
  { prefix = "", bytes = BYTES, separators = [] }: Subject,
): readonly Shape[] {
  const repeat = (unit: string, end = ""): Shape => [
    `repeated ${JSON.stringify(unit)}, then ${JSON.stringify(end)}`,
    (size) => unit.repeat(Math.ceil(size / unit.length)) + end,
  ];
  const shapes: readonly Shape[] = [
    ["letters", (size) => LETTERS.slice(0, size)],
    [
      "encoded letters",
      (size) => encodeURIComponent(LETTERS.slice(0, size / 4)),
    ],
    ...[...bytes, ...separators].flatMap((unit) => [
      repeat(unit),
      ...separators.filter((separator) => separator !== unit)
        .flatMap((each) => [repeat(unit + each), repeat(unit, each)]),
    ]),
  ];
  return shapes.map(([name, create]) => [
    `${JSON.stringify(prefix)}, then ${name}`,
    (size) => prefix + create(size),
  ]);
}

/** Returns the CPU time of some calls, in microseconds. */
async function measure(
  run: (text: string) => unknown,
  text: string,
  calls: number,
): Promise<number> {
  const start = process.cpuUsage();
  for (let call = 0; call < calls; call++) {
    try {
      const result = run(text);
      if (result instanceof Promise) await result;
    } catch {
      // Most inputs are invalid.
    }
  }
  const { user, system } = process.cpuUsage(start);
  return Math.max(user + system, 1);
}

/** Returns how many times longer a long input takes than a short one. */
async function compare(
  run: (text: string) => unknown,
  create: (size: number) => string,
): Promise<number> {
  const short = create(SIZE), long = create(SIZE * FACTOR);
  const times = { short: Infinity, long: Infinity };
  for (let attempt = 0; attempt < RUNS; attempt++) {
    // As many characters as the long input has, which takes long enough to measure.
    const shortTime = await measure(run, short, FACTOR) / FACTOR;
    times.short = Math.min(times.short, shortTime);
    times.long = Math.min(times.long, await measure(run, long, 1));
    // Most inputs are clearly linear.
    if (attempt === 0 && times.long / times.short < FACTOR * 1.5) break;
  }
  return times.long / times.short;
}

/**
 * Returns how many times longer a long input takes than a short one, if it takes
 * more than linear time twice in a row.
 */
export async function measureSlow(
  run: (text: string) => unknown,
  create: (size: number) => string,
): Promise<number | undefined> {
  let ratio = await compare(run, create);
  if (ratio > MAX_RATIO) ratio = await compare(run, create);
  return ratio > MAX_RATIO ? Math.round(ratio) : undefined;
}

/** Returns the inputs that take more than linear time, at most three. */
export async function findSlow(subject: Subject): Promise<readonly string[]> {
  const slow: string[] = [];
  for (const [name, create] of createShapes(subject)) {
    const ratio = await measureSlow(subject.run, create);
    if (ratio !== undefined) slow.push(`${name}: ${ratio} times`);
    if (slow.length === 3) break; // each takes seconds
  }
  return slow;
}
