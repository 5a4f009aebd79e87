import type { EncodedPlants } from "../domain/encoded_plants.ts";
import { STEP, type Steps } from "../domain/steps.ts";

/** How many plants came and how many went; a plant counts as often as it stands there. */
export function* comparePlants(
  before: EncodedPlants,
  now: EncodedPlants,
): Steps<{ added: number; removed: number }> {
  const most = Math.min(before.size, now.size);
  // Most changes leave the beginning and the end as they are.
  let head = 0;
  while (head < most && isSame(before, head, now, head)) {
    if (++head % STEP === 0) yield;
  }
  let tail = 0;
  while (
    tail < most - head &&
    isSame(before, before.size - 1 - tail, now, now.size - 1 - tail)
  ) if (++tail % STEP === 0) yield;

  const left = new Map<string, number>();
  for (let at = head; at < before.size - tail; at++) {
    const plant = read(before, at);
    left.set(plant, (left.get(plant) ?? 0) + 1);
    if (at % STEP === 0) yield;
  }
  let added = 0;
  for (let at = head; at < now.size - tail; at++) {
    const plant = read(now, at);
    const count = left.get(plant) ?? 0;
    if (count === 0) added++;
    else left.set(plant, count - 1);
    if (at % STEP === 0) yield;
  }
  return { added, removed: before.size - (now.size - added) };
}

/** Whether two plants are equal, whatever stands behind them. */
function isSame(
  { bytes, starts }: EncodedPlants,
  at: number,
  other: EncodedPlants,
  otherAt: number,
): boolean {
  const from = starts[at]!, otherFrom = other.starts[otherAt]!;
  const length = starts[at + 1]! - from - 1;
  if (other.starts[otherAt + 1]! - otherFrom - 1 !== length) return false;
  for (let index = 0; index < length; index++) {
    if (bytes[from + index] !== other.bytes[otherFrom + index]) return false;
  }
  return true;
}

const decoder = new TextDecoder();

function read({ bytes, starts }: EncodedPlants, at: number): string {
  return decoder.decode(bytes.subarray(starts[at], starts[at + 1]! - 1));
}
