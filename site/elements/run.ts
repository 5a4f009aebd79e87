import type { Handler } from "plant-store";
import { make } from "../../src/explorer/client/shared/dom.ts";
import { titleOf } from "../../src/explorer/client/shared/explain.ts";
import { sortHeaders } from "../../src/explorer/client/shared/header_table.ts";
import { showButton } from "./button.ts";
import { diff } from "./printed.ts";

/** A curl command of a console block. */
export interface Command {
  readonly method: string;
  readonly target: string;
  readonly headers: [name: string, value: string][];
  /** Whether it prints the status and the headers, too. */
  readonly include: boolean;
  /** The output in the document. */
  readonly shown: string;
}

/** A button that sends the requests of a console block, and the responses. */
export class RunElement extends HTMLElement {
  connectedCallback(): void {
    const commands: readonly Command[] = JSON.parse(
      this.getAttribute("commands")!,
    );
    const results = make("div", {});
    showButton(this, "Run", async (api) => {
      const shown: HTMLElement[] = [];
      for (const command of commands) {
        shown.push(await run(command, commands.length === 1, api));
      }
      results.replaceChildren(...shown);
      const same = results.querySelectorAll("[data-same=true]").length;
      return `Responses that match the output above: ${same} of ${commands.length}`;
    });
    this.append(results);
  }
}

customElements.define("plant-run", RunElement);

/** Sends the request of a command and returns the response, compared with the document. */
async function run(
  { target, include, shown, ...init }: Command,
  isOnly: boolean,
  api: Handler,
): Promise<HTMLElement> {
  const response = await api(`http://localhost${target}`, init);
  const text = await response.text();
  const head = createHead(response);
  const differences = diff(include ? head + text : text, shown);
  const isSame = differences.length === 0;
  const summary = make("summary", {}, make("b", {}, titleOf(response)));
  summary.append(isSame ? " matches " : " differs ");
  if (!isOnly) summary.append(make("code", {}, `${init.method} ${target}`));
  const result = make("details", { open: isOnly || !isSame }, summary);
  if (!isSame) result.append(make("pre", {}, differences.join("\n")));
  result.append(make("pre", {}, head + text));
  result.dataset["same"] = `${isSame}`;
  return result;
}

/** Returns the status line and the headers of a response. */
export function createHead(response: Response): string {
  const lines = sortHeaders(response.headers)
    .map(([name, value]) => `${name}: ${value}\n`);
  return `HTTP/1.1 ${titleOf(response)}\n${lines.join("")}\n`;
}
