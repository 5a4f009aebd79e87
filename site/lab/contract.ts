import { type CaseResult, type Difference, USERS } from "plant-store/verify";
import { make, plural } from "../../src/explorer/client/shared/dom.ts";
import type { CaseRequest } from "../../src/verify/case.ts";
import { CASES, RULES } from "../../src/verify/cases.ts";
import { TUTORIAL_CASES } from "../../src/verify/cases/exercises.ts";
import { LIST_ALL_REQUEST } from "../../src/verify/run_case.ts";
import { createHead } from "../elements/run.ts";
import type { Step } from "./steps.data.ts";

const TESTS = new Map(
  [...CASES, ...TUTORIAL_CASES, ...RULES].map((test) => [test.id, test]),
);

const OWN_DATA = "The tests have their own plants and users.";

/** A list of test cases by step, and above it, one that failed. */
export class Contract {
  readonly #send: (request: string) => void;
  readonly #detail = make("div", { className: "detail", tabIndex: -1 });
  readonly #rows = new Map<string, HTMLButtonElement>();
  readonly #groups: readonly HTMLElement[];
  readonly #results = new Map<string, CaseResult>();
  /** The test case that the learner has chosen to see. */
  #chosen: string | undefined;
  /** The IDs that passed in the previous run. */
  #before: readonly string[] | undefined;

  /**
   * @param steps The steps up to the current one.
   * @param send Shows a request, and sends it.
   */
  constructor(
    element: Element,
    steps: readonly Step[],
    send: (request: string) => void,
  ) {
    this.#send = send;
    const filled = steps.filter(({ cases }) => cases.length > 0).reverse();
    this.#groups = filled.map(({ title, cases }, index) => {
      const rows = cases.map((id) => {
        const row = make("button", {}, TESTS.get(id)!.title);
        row.onclick = () => this.#choose(id);
        this.#rows.set(id, row);
        return row;
      });
      const summary = make(
        "summary",
        {},
        make("b", {}, title),
        make("span", {}),
      );
      return make("details", { open: index === 0 }, summary, ...rows);
    });
    element.replaceChildren(this.#detail, ...this.#groups);
  }

  get ids(): readonly string[] {
    return [...this.#rows.keys()];
  }

  get passed(): readonly string[] {
    return this.ids.filter((id) => this.#results.get(id)?.status === "passed");
  }

  /** Starts a run, and marks all results as old. */
  start(): void {
    this.#results.clear();
    this.#update(true);
  }

  add(result: CaseResult): void {
    this.#results.set(result.id, result);
    // A response that breaks a rule of a step is wrong in its own test case, too.
    const group = this.#rows.get(result.id)?.parentElement;
    for (const difference of group ? result.differences : []) {
      const { caseId = "" } = difference;
      const own = this.#results.get(caseId);
      const isSame = this.#rows.get(caseId)?.parentElement === group;
      if (!isSame || own?.status !== "passed") continue;
      const differences = [difference];
      this.#results.set(caseId, { ...own, status: "failed", differences });
    }
    this.#update(true);
  }

  /**
   * Shows an error that prevented all results.
   *
   * @param wasCalled Whether the handler received the first request.
   */
  fail(error: string, wasCalled: boolean): void {
    const [title, request] = wasCalled
      ? ["The first request has no valid response", toText(LIST_ALL_REQUEST)]
      : ["The code did not load", ""];
    this.#show("failed", title, error, request);
  }

  /** Ends a run. Returns how many test cases it gained and lost. */
  end(): string {
    this.#update(false);
    if (this.#results.size === 0) return "";
    const { passed } = this;
    const before = this.#before ?? passed;
    this.#before = passed;
    const gained = passed.filter((id) => !before.includes(id)).length;
    const lost = before.filter((id) => !passed.includes(id)).length;
    const changes = [
      ...gained > 0 ? [`${gained} newly right`] : [],
      ...lost > 0 ? [`${lost} newly wrong`] : [],
    ];
    return changes.length > 0 ? `, ${changes.join(", ")}` : "";
  }

  /** Shows the results. During a run, those of the previous run stay, as old ones. */
  #update(isRunning: boolean): void {
    for (const [id, row] of this.#rows) {
      const result = this.#results.get(id);
      row.classList.toggle("old", isRunning && !result);
      if (result || !isRunning) {
        row.dataset["result"] = result?.status ?? "skipped";
      }
    }
    for (const group of this.#groups) {
      const rows = group.querySelectorAll("button").length;
      const passed =
        group.querySelectorAll("[data-result=passed]:not(.old, summary)")
          .length;
      const summary = group.querySelector("summary")!;
      const result = isRunning ? "skipped" : "failed";
      summary.dataset["result"] = passed === rows ? "passed" : result;
      summary.lastElementChild!.textContent = ` ${passed} of ${rows}`;
    }
    const failed = [...this.#results.values()]
      .filter(({ id, status }) => status === "failed" && this.#rows.has(id));
    const shown = failed.find(({ id }) => id === this.#chosen) ?? failed[0];
    this.#detail.classList.toggle("old", isRunning && !shown);
    if (shown) this.#describe(shown);
    else if (!isRunning) this.#detail.replaceChildren();
  }

  #choose(id: string): void {
    const result = this.#results.get(id);
    this.#chosen = id;
    if (!result) return;
    this.#describe(result);
    this.#detail.parentElement!.scrollTop = 0;
    this.#detail.focus({ preventScroll: true });
  }

  /** Shows what differs, the request, its user, and the response. */
  #describe({ id, title, status, differences, response }: CaseResult): void {
    const [difference] = differences;
    const test = TESTS.get(difference?.caseId ?? id)!;
    const request = toText(
      test.kind === "case" ? test.request : LIST_ALL_REQUEST,
    );
    const received = response
      ? createHead(new Response(null, response)) + response.body
      : "No response";
    const text = `${request}\n\n${received}`;
    this.#show(status, title, describe(differences), request, text);
  }

  #show(
    status: CaseResult["status"],
    title: string,
    sentence: string,
    request: string,
    text = request,
  ): void {
    const button = make("button", {}, "Send this request");
    button.onclick = () => this.#send(request);
    this.#detail.dataset["result"] = status;
    this.#detail.replaceChildren(
      make("p", {}, make("b", {}, title)),
      make("p", {}, sentence),
      make("small", {}, request && OWN_DATA),
      make("p", {}, ...request ? [button, explain(request)] : []),
      make("pre", {}, text),
    );
  }
}

/** Returns a request as text, as in the Request panel. */
function toText({ method, target, headers }: CaseRequest): string {
  const lines = headers.map((header) => header.join(": "));
  return [`${method} ${target}`, ...lines].join("\n");
}

/** Describes a difference in a sentence. */
function describe(differences: readonly Difference[]): string {
  const [difference] = differences;
  if (!difference) return "The response is right.";
  const { location, expected, actual } = difference;
  if (location === "response") return actual.replace("none", "No response");
  const isHeader = /^(?:[a-z]+(?:-[a-z]+)+|allow|etag|vary)$/.test(location);
  const what = isHeader
    ? `header ${location}`
    : location.replace("length", "number of plants")
      .replace(/^\[(\d+)\]\.(\w+)$/, (_, index, name) =>
        `${name} of plant ${Number(index) + 1}`);
  const found = actual === "none" ? "is missing" : `is ${actual}`;
  const more = differences.filter(({ caseId }) => caseId).length - 1;
  const isPattern = expected.startsWith("a match of");
  const verb = expected.startsWith("no ") ? "have" : "be";
  let rule = `, but should ${verb} ${expected}`;
  if (isPattern) rule = actual === "none" ? "" : ", which is invalid";
  return `The ${what} ${found}${rule}.` +
    (more > 0 ? ` The same applies to ${plural(more, "other response")}.` : "");
}

/** Describes the user of a request, as in tokens.json, and its placeholder. */
function explain(request: string): string {
  const [, token = ""] = /^Authorization: Bearer (.*)/m.exec(request) ?? [];
  const users = Object.entries(USERS)
    .filter(([, { tokens }]) => JSON.stringify(tokens).includes(`"${token}"`));
  const [user] = users.map((entry) =>
    JSON.stringify(Object.fromEntries([entry]))
  );
  return (user ? ` The user of this token: ${user}` : "") +
    (request.includes("ETAG") ? " ETAG stands for the ETag of the list." : "");
}
