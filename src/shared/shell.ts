/** Quotes a word without control characters for a POSIX shell. */
export function quoteShellWord(word: string): string {
  return /["$`\\!]/.test(word)
    ? `'${word.replaceAll("'", "'\\''")}'`
    : `"${word}"`;
}

/** Returns the format with which `printf` prints a text. Control characters are octal. */
export function toPrintfFormat(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("%", "%%")
    .replaceAll("'", "'\\''").replace(
      /\p{Cc}/gu,
      (control) => `\\${control.charCodeAt(0).toString(8).padStart(3, "0")}`,
    );
  return `'${escaped}'`;
}

/** Quotes a word, which can come from a link, for a POSIX shell. */
export function quoteForShell(word: string): string {
  return /\p{Cc}/u.test(word)
    ? `"$(printf ${toPrintfFormat(word)})"`
    : quoteShellWord(word);
}
