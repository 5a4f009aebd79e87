/**
 * A number that a question carries, and its answer has to have: where answers
 * were mixed up on the way, someone would see what is not for them.
 */
export function createMark(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

/**
 * Checks the number of an answer, as it came.
 *
 * @throws {Error} When it is another question's.
 */
export function checkMark(mark: number, found: unknown): void {
  if (`${found}` === `${mark}`) return;
  throw new Error(
    "the answer is another question's: a pooler must be in session mode",
  );
}
