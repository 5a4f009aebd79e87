import type { Handler } from "plant-store";
import { make } from "../../src/explorer/client/shared/dom.ts";
import { titleOf } from "../../src/explorer/client/shared/explain.ts";
import { sortHeaders } from "../../src/explorer/client/shared/header_table.ts";
import { showButton } from "./button.ts";
import { diff } from "./printed.ts";

/** A command of a console block. */
export interface Command {
  readonly line: string;
  /** The output in the document. */
  readonly shown: string;
  /** The request, or why the page cannot send it. */
  readonly request: CurlRequest | string;
}

/** The request that a curl command sends, and what it prints. */
export interface CurlRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: [name: string, value: string][];
  readonly prints: { head: boolean; body: boolean; status: boolean };
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
      const sent = results.querySelectorAll("[data-same]").length;
      const same = results.querySelectorAll("[data-same=true]").length;
      return `Responses that match the output above: ${same} of ${sent}`;
    });
    this.append(results);
  }
}

/** Sends the request of a command and returns the response, compared with the document. */
async function run(
  { line, shown, request }: Command,
  isOnly: boolean,
  api: Handler,
): Promise<HTMLElement> {
  if (typeof request === "string") {
    const reason = ` Run it in a terminal: ${request}.`;
    return make("p", {}, make("code", {}, line), reason);
  }
  const { target, prints, ...init } = request;
  const response = await api(`http://localhost${target}`, init);
  const text = await response.text();
  const head = createHead(response);
  const output = (prints.head ? head : "") + (prints.body ? text : "") +
    (prints.status ? response.status : "");
  const differences = diff(output, shown);
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
