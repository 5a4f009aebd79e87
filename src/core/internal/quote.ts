/** The maximum number of quoted characters. */
const MAX_CHARACTERS = 64;

/** Puts at most 64 characters of `text` in double quotes, and escapes what is invisible. */
export function quote(text: string): string {
  // A character has at most two code units.
  const characters = [...text.slice(0, 2 * (MAX_CHARACTERS + 1))];
  const shown = JSON.stringify(characters.slice(0, MAX_CHARACTERS).join(""));
  const rest = characters.length > MAX_CHARACTERS ? "..." : "";
  const invisible = /(?! )[\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;
  return `${shown.replace(invisible, escapeCharacter)}${rest}`;
}

/** Escapes control characters and line breaks, including those that `JSON.stringify` keeps. */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, escapeCharacter);
}

/** Escapes a character, such as `\\u00a0`. */
function escapeCharacter(character: string): string {
  return character.replace(
    /[^]/g, // each code unit
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
