import { make } from "../../src/page/client/dom.ts";
import { titleOf } from "../../src/page/client/explain.ts";
import { diff } from "./printed.ts";
import { send, writeHead } from "./send.ts";

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
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly prints: { head: boolean; body: boolean; status: boolean };
}

/** A button that sends the requests of a console block, and the responses. */
export class RunElement extends HTMLElement {
  connectedCallback(): void {
    const commands: readonly Command[] = JSON.parse(
      this.getAttribute("commands")!,
    );
    const button = make("button", { type: "button" }, "Run");
    const note = make("span", { role: "status" });
    note.textContent = "Runs in your browser. Nothing leaves it.";
    const results = make("div", {});
    button.addEventListener("click", async () => {
      button.disabled = true;
      const shown: HTMLElement[] = [];
      for (const command of commands) {
        shown.push(await run(command, commands.length === 1));
      }
      results.replaceChildren(...shown);
      const sent = shown.filter(({ dataset }) => dataset["same"]);
      const same = sent.filter(({ dataset }) => dataset["same"] === "true");
      note.textContent =
        `Responses that match the output above: ${same.length} of ${sent.length}`;
      button.disabled = false;
    });
    this.replaceChildren(button, note, results);
  }
}

/** Sends the request of a command and returns the response, compared with the document. */
async function run(
  { line, shown, request }: Command,
  isOnly: boolean,
): Promise<HTMLElement> {
  if (typeof request === "string") {
    return make(
      "p",
      {},
      make("code", {}, line),
      ` Run it in a terminal: ${request}.`,
    );
  }
  const { method, target, headers, prints } = request;
  const { response, text } = await send(method, target, headers);
  const head = prints.head ? writeHead(response) : "";
  const body = prints.body ? text : "";
  const status = prints.status ? `${response.status}` : "";
  const lines = diff(head + body + status, shown);
  const isSame = lines.length === 0;
  const result = make(
    "details",
    { open: isOnly || !isSame },
    make(
      "summary",
      {},
      make("b", {}, titleOf(response)),
      isSame ? " matches " : " differs ",
      isOnly ? "" : make("code", {}, `${method} ${target}`),
    ),
  );
  if (!isSame) result.append(make("pre", {}, lines.join("\n")));
  result.append(make("pre", {}, writeHead(response) + text));
  result.dataset["same"] = `${isSame}`;
  return result;
}
