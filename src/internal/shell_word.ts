/** Quotes a word without control characters for a POSIX shell. */
export function quoteShellWord(word: string): string {
  return /["$`\\!]/.test(word)
    ? `'${word.replaceAll("'", "'\\''")}'`
    : `"${word}"`;
}
