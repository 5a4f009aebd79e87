import { differ } from "../fuzz/check.ts";
import type { WireRequest } from "../fuzz/head.ts";
import { judge, type Outcome, type Service } from "../fuzz/model.ts";
import type { WireResponse } from "../fuzz/response.ts";
import type { TagBook } from "../fuzz/state.ts";
import type { ChangingShop } from "./shop.ts";

/** Who holds answers against the model, whatever the shop was meanwhile. */
export interface Judge {
  readonly service: Service;
  readonly tags: TagBook;
  /** The right answers to a request that was under way between two moments. */
  outcomes(
    request: WireRequest,
    sent: number,
    received: number,
  ): readonly Outcome[];
  /** What is wrong with an answer, if anything. */
  problem(
    request: WireRequest,
    response: WireResponse,
    sent: number,
  ): string | undefined;
}

/** Makes a judge over a shop. */
export function createJudge(
  service: Service,
  shop: ChangingShop,
  tags: TagBook,
): Judge {
  const outcomes: Judge["outcomes"] = (request, sent, received) =>
    shop.during(sent, received).flatMap((state) =>
      judge(request, service, state, received)
    );
  return {
    service,
    tags,
    outcomes,
    problem(request, response, sent) {
      let first: string | undefined;
      for (const outcome of outcomes(request, sent, Date.now())) {
        const isHead = request.start.startsWith("HEAD ");
        const each = differ(outcome, response, isHead, true, tags);
        if (each === undefined) return undefined;
        first ??= each;
      }
      return first ?? "there was nothing to hold it against";
    },
  };
}
