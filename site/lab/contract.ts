import { withBase } from "vitepress";
import { type CaseResult, type Level, listCases } from "plant-store/verify";
import { make } from "../../src/explorer/client/dom.ts";
import { CASES, SECTIONS } from "../../src/verify/cases.ts";
import { createHead } from "../elements/run.ts";

const SERVER_ONLY: ReadonlySet<string> = new Set(
  CASES.filter(({ needsServer }) => needsServer).map(({ id }) => id),
);

/** The test cases by section of the specification. What the reader opens stays open. */
export class Contract {
  readonly length: number;
  readonly #rows = new Map<string, HTMLElement>();
  readonly #sections: HTMLElement[] = [];

  /** Shows the test cases of a level that a handler can receive. */
  constructor(element: Element, level: Level) {
    const all = listCases({ level }).filter(({ id }) => !SERVER_ONLY.has(id));
    this.length = all.length;
    for (const [index, title] of SECTIONS.entries()) {
      const number = index + 1;
      const cases = all.filter(({ section }) => section === number);
      if (cases.length === 0) continue;
      const anchor = `${number}-${title.replace(/,/g, "").replace(/ /g, "-")}`;
      const href = withBase(`/http-api#${anchor.toLowerCase()}`);
      const link = make("a", { href }, `Section ${number} of the HTTP API`);
      const count = make("span", {}, `0 of ${cases.length}`);
      const summary = make("summary", {}, make("b", {}, title), " ", count);
      const section = make("details", {}, summary, make("p", {}, link));
      for (const { id, title } of cases) {
        const summary = make("summary", {}, title);
        const row = make("details", {}, summary, make("div", {}));
        this.#rows.set(id, row);
        section.append(row);
      }
      this.#sections.push(section);
    }
    element.replaceChildren(...this.#sections);
  }

  /** Shows the results of a run. Test cases without a result did not run. */
  show(results: readonly CaseResult[]): void {
    const found = new Map(results.map((result) => [result.id, result]));
    for (const [id, row] of this.#rows) {
      const result = found.get(id);
      row.dataset["result"] = result?.status ?? "skipped";
      row.lastElementChild!.replaceChildren(...describe(result));
    }
    for (const section of this.#sections) {
      const all = section.querySelectorAll("details").length;
      const passed = section.querySelectorAll("[data-result=passed]").length;
      const failed = results.length > 0 ? "failed" : "skipped";
      section.dataset["result"] = passed === all ? "passed" : failed;
      section.querySelector("span")!.textContent = `${passed} of ${all}`;
    }
  }
}

/** Describes a result: what differs, the request, and the response. */
function describe(result: CaseResult | undefined): readonly Node[] {
  if (!result || result.status === "skipped") {
    return [make("p", {}, "This test case did not run.")];
  }
  const { differences, request, response } = result;
  const rows = differences.map(({ location, expected, actual, caseId }) =>
    make(
      "p",
      {},
      make("b", {}, location),
      `: expected ${expected}, received ${actual}`,
      ...caseId ? [` (${caseId})`] : [],
    )
  );
  const head = response
    ? createHead(new Response(null, response)) + response.body
    : "no response";
  return [...rows, make("pre", {}, `${request}\n\n${head}`)];
}
