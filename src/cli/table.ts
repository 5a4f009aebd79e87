/** Formats rows as indented lines with aligned columns. */
export function toTable(
  rows: readonly (readonly string[])[],
  indent = "  ",
): string {
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]!.length), 0)
  );
  return rows.map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!));
    return `${indent}${cells.join("  ").trimEnd()}`;
  }).join("\n");
}
