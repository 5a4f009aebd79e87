/** The worker's reply to a call. The error is empty if the call succeeded. */
export interface Reply {
  readonly error: string;
  /** The place of the error in handler.mjs, from 1, or 0 if it is unknown. */
  readonly line: number;
  readonly column: number;
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly body: string;
  /** What the code printed. */
  readonly printed: readonly string[];
}

/** The maximum length of a text, in characters, and of a list. */
const MAX_TEXT = 1_000_000, MAX_ITEMS = 100;

/** Reads a reply, in which the learner's code can put anything. */
export function readReply(value: unknown): Reply {
  const { error, line, column, status, headers, body, printed } = Object(
    value,
  );
  return {
    error: toText(error),
    line: toNumber(line),
    column: toNumber(column),
    status: toNumber(status),
    headers: toList(headers).map((header) => {
      const [name, value] = toList(header);
      return [toText(name), toText(value)];
    }),
    body: toText(body),
    printed: toList(printed).map(toText),
  };
}

/** Creates a response, which can have any status. */
export function toResponse(
  { status, headers, body }: Pick<Reply, "status" | "headers" | "body">,
): Response {
  const { buffer } = new TextEncoder().encode(body);
  const arrayBuffer = () => Promise.resolve(buffer);
  const response = { status, headers: new Headers(headers), arrayBuffer };
  return response as unknown as Response;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_TEXT) : "";
}

function toNumber(value: unknown): number {
  return Number.isSafeInteger(value) ? value as number : 0;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? Array.from(value.slice(0, MAX_ITEMS)) : [];
}
