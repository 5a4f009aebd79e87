/** The number of characters of a stream that a message contains. */
const MAX_LENGTH = 300;

/** Quotes the start and the end of a text for the message of a failed test. */
export function excerpt(text: string): string {
  if (text.length <= MAX_LENGTH) return JSON.stringify(text);
  const half = MAX_LENGTH / 2;
  const [start, end] = [text.slice(0, half), text.slice(-half)]
    .map((part) => JSON.stringify(part));
  return `${start} ... ${end} (${text.length} characters)`;
}
