/** Replaces parts of a shipped file, and throws if the file lacks one. */
export function fill(
  text: string,
  values: Readonly<Record<string, string>>,
): string {
  for (const [part, value] of Object.entries(values)) {
    if (!text.includes(part)) throw new Error(`the file lacks "${part}"`);
    text = text.replaceAll(part, value);
  }
  return text;
}
