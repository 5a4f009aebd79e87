import type { WireRequest } from "./head.ts";

/**
 * Makes a request smaller while it still is what it was: without one of its
 * lines, its body or half of its target.
 *
 * @param holds Whether a request still is what it was.
 */
export async function shrink(
  request: WireRequest,
  holds: (request: WireRequest) => Promise<boolean>,
): Promise<WireRequest> {
  for (let tries = 0; tries < 20; tries++) {
    const smaller = await findSmaller(request, holds);
    if (!smaller) break;
    request = smaller;
  }
  return request;
}

async function findSmaller(
  request: WireRequest,
  holds: (request: WireRequest) => Promise<boolean>,
): Promise<WireRequest | undefined> {
  const { lines, body, start } = request;
  const half = lines.length >> 1;
  const target = /\?.*(?= HTTP)/.exec(start)?.[0] ?? "";
  const candidates: WireRequest[] = [
    ...half > 4
      ? [{ ...request, lines: lines.slice(half) }, {
        ...request,
        lines: lines.slice(0, half),
      }]
      : [],
    ...Array.from(
      { length: Math.min(lines.length, 20) },
      (_, at) => ({ ...request, lines: lines.toSpliced(at, 1) }),
    ),
    ...body === "" ? [] : [{ ...request, body: "" }],
    ...target === "" ? [] : [{ ...request, start: start.replace(target, "") }],
  ];
  for (const candidate of candidates) {
    if (await holds(candidate)) return candidate;
  }
  return undefined;
}
