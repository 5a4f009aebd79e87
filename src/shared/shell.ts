/** Quotes a word without control characters for a POSIX shell. */
export function quoteShellWord(word: string): string {
  return /["$`\\!]/.test(word)
    ? `'${word.replaceAll("'", "'\\''")}'`
    : `"${word}"`;
}

/** Quotes a word, which can come from a link, for a POSIX shell. Control characters are octal. */
export function quoteForShell(word: string): string {
  if (!/\p{Cc}/u.test(word)) return quoteShellWord(word);
  const format = word.replaceAll("\\", "\\\\").replaceAll("%", "%%")
    .replaceAll("'", "'\\''").replace(
      /\p{Cc}/gu,
      (control) => `\\${control.charCodeAt(0).toString(8).padStart(3, "0")}`,
    );
  return `"$(printf '${format}')"`;
}
