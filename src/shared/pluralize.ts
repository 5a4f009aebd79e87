/** Returns a number and a noun, such as `1 plant` or `2 plants`. */
export function pluralize(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
