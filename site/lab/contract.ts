import { type CaseResult, type Difference, USERS } from "plant-store/verify";
import { make, plural } from "../../src/explorer/client/shared/dom.ts";
import type { CaseRequest } from "../../src/verify/case.ts";
import { selectExercise } from "../../src/verify/exercises.ts";
import { LIST_ALL_REQUEST } from "../../src/verify/run_case.ts";
import { createHead } from "../elements/run.ts";
import type { Step } from "./steps.data.ts";

const TESTS = new Map(selectExercise(3).map((test) => [test.id, test]));

/** A list of test cases by step; each shows its request and its response. */
export class Contract {
  readonly #element: Element;
  readonly #send: (request: string) => void;
  readonly #rows = new Map<string, HTMLDetailsElement>();
  readonly #groups: readonly HTMLDetailsElement[];
  readonly #results = new Map<string, CaseResult>();

  /**
   * @param steps The steps up to the current one.
   * @param send Shows a request, and sends it.
   */
  constructor(
    element: Element,
    steps: readonly Step[],
    send: (request: string) => void,
  ) {
    this.#element = element;
    this.#send = send;
    const filled = steps.filter(({ cases }) => cases.length > 0).reverse();
    this.#groups = filled.map(({ title, cases }, index) => {
      const rows = cases.map((id) => {
        const summary = make("summary", {}, TESTS.get(id)!.title);
        // Because of the name, one at a time is open.
        const properties = { className: "test", name: "test" };
        const row = make("details", properties, summary);
        this.#rows.set(id, row);
        return row;
      });
      const name = make("b", {}, title);
      const summary = make("summary", {}, name, make("span", {}));
      return make("details", { open: index === 0 }, summary, ...rows);
    });
    element.replaceChildren(...this.#groups);
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
    this.show(true);
  }

  add(result: CaseResult): void {
    this.#set(result);
    // A response that breaks a rule of a step is wrong in its own test case, too.
    const group = this.#rows.get(result.id)?.parentElement;
    for (const difference of group ? result.differences : []) {
      const { caseId = "" } = difference;
      const own = this.#results.get(caseId);
      const isSame = this.#rows.get(caseId)?.parentElement === group;
      if (!isSame || own?.status !== "passed") continue;
      this.#set({ ...own, status: "failed", differences: [difference] });
    }
    this.show(true);
  }

  /** Shows the results. During a run, those of the previous run stay, as old ones. */
  show(isRunning: boolean): void {
    for (const [id, row] of this.#rows) {
      const result = this.#results.get(id);
      row.classList.toggle("old", isRunning && !result);
      if (result || !isRunning) {
        row.dataset["result"] = result?.status ?? "skipped";
      }
      if (!result && !isRunning) row.replaceChildren(row.firstElementChild!);
    }
    for (const group of this.#groups) {
      const rows = group.querySelectorAll(".test").length;
      const passed =
        group.querySelectorAll("[data-result=passed]:not(.old)").length;
      const summary = group.querySelector("summary")!;
      const result = isRunning ? "skipped" : "failed";
      group.dataset["result"] = passed === rows ? "passed" : result;
      summary.lastElementChild!.textContent = ` ${passed} of ${rows}`;
    }
    const rows = [...this.#rows.values()];
    const failed = rows.filter((row) =>
      row.matches("[data-result=failed]:not(.old)")
    );
    const isShown = failed.some((row) => row.matches("[open] > [open]"));
    if (!isShown && failed[0]) this.#open(failed[0]);
    if (this.passed.length < rows.length) return;
    for (const row of rows) row.open = false;
  }

  /** Opens a test case, and scrolls to it unless it is in view. */
  #open(row: HTMLDetailsElement): void {
    const group = row.parentElement as HTMLDetailsElement;
    group.open = row.open = true;
    const { top, height } = this.#element.getBoundingClientRect();
    const offset = row.getBoundingClientRect().top - top;
    if (offset < 0 || offset > height / 2) this.#element.scrollTop += offset;
  }

  /** Shows what differs, the request, its user, and the response. */
  #set(result: CaseResult): void {
    const { id, differences, response } = result;
    this.#results.set(id, result);
    const test = TESTS.get(differences[0]?.caseId ?? id)!;
    // The command contains the ETag that was sent.
    const [, etags = ""] =
      /If-None-Match: (.*?)['"](?= |$)/.exec(result.request) ?? [];
    const request = toText(
      test.kind === "case" ? test.request : LIST_ALL_REQUEST,
    ).replace(/(?<=^If-None-Match: ).*/m, () => etags);
    const received = response
      ? createHead(new Response(null, response)) + response.body
      : "No response";
    const row = this.#rows.get(id);
    const button = make("button", {}, "Send this request");
    button.onclick = () => this.#send(request);
    const sentence = make("p", {}, describe(differences));
    const text = make("div", {}, sentence, button, explain(request));
    const sent = make("pre", {}, `${request}\n\n${received}`);
    row?.replaceChildren(row.firstElementChild!, make("div", {}, text, sent));
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

/** Describes the user of a request, as in tokens.json, and its header for tests. */
function explain(request: string): HTMLElement {
  const [, token = ""] = /^Authorization: Bearer (.*)/m.exec(request) ?? [];
  const users = Object.entries(USERS)
    .filter(([, { tokens }]) => JSON.stringify(tokens).includes(`"${token}"`));
  const [user] = users.map((entry) =>
    JSON.stringify(Object.fromEntries([entry]))
  );
  const text = "The tests have their own plants and users." +
    (user ? ` The user of this token: ${user}` : "") +
    (request.includes("Test-Plants")
      ? " With Test-Plants, the handler receives the plants in reverse order."
      : "");
  return make("p", {}, text);
}
