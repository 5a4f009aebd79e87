/** Quotes a word without control characters for a POSIX shell. */
export function quoteWord(word: string): string {
  return /["$`\\!]/.test(word)
    ? `'${word.replaceAll("'", "'\\''")}'`
    : `"${word}"`;
}
