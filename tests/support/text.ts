import fc from "./fast_check.ts";

// Text that breaks naive code, for property tests of names, tags, users, keys,
// tokens, headers, and queries.

/** Characters and code units that are easy to get wrong. */
const UNITS = [
  "\uFEFF", // a byte order mark, which decoders remove at the start
  ..."\0\u0001\t\n\r\u001f\u007f\u0085\u009f", // control characters
  ..."\u00a0\u2028\u2029", // a space and line separators
  ...["\ud800", "\udfff"], // lone surrogates
  ...["\u0301", "e\u0301"], // combining
  ..."\u202e\u05d0", // right-to-left
  ..."\u{1F33F}\u{10FFFF}\u0130é植",
  ..." \"\\/,:;{}[]()<>&=?#%+-*$'`|@!",
  ..."aAzZ09",
];

/** Keys of every object, numbers, and words that end like known keys. */
const WORDS = [
  ..."__proto__ constructor prototype toString hasOwnProperty".split(" "),
  ..."length null 0 42 -1 4294967295 $schema name tag fern".split(" "),
  ...["éname", "植物name", "\uFEFFname", "\uFEFFfern"],
  ...["", "%6c%69%6d%69%74", "\\u0041", "x".repeat(5_000)],
];

/** Any text, well-formed or not. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 8 }),
  },
  { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
  fc.tuple(fc.constantFrom(...UNITS), fc.constantFrom(...WORDS))
    .map((parts) => parts.join("")),
  // The unit "binary" would need a second to start.
  fc.array(fc.nat(0x10FFFF), { maxLength: 8 })
    .map((points) => String.fromCodePoint(...points)),
);

/** Well-formed Unicode. */
export const unicodeText: fc.Arbitrary<string> = anyText.map((text) =>
  text.toWellFormed()
);
