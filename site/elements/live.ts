import type { Handler } from "plant-store";
import {
  fetchResponse,
  PLANTS_PATH,
  toPlants,
} from "../../src/explorer/client/shared/api.ts";
import { explain, titleOf } from "../../src/explorer/client/shared/explain.ts";
import { formatBody } from "../../src/explorer/client/shared/format_body.ts";
import { makeCard } from "../../src/explorer/client/shared/plant_card.ts";
import { DEMO_TOKENS } from "../../src/shared/demo_tokens.ts";
import { showButton } from "./button.ts";
import { createHead } from "./run.ts";

/** A field for a request, optionally with a list of tokens, and the response. */
export class LiveElement extends HTMLElement {
  connectedCallback(): void {
    const text = this.querySelector("textarea")!;
    const tokens = this.querySelector("select");
    showButton(
      this.querySelector("p")!,
      "Send",
      (api) => this.#send(text.value, api),
    );
    const send = () => this.querySelector("button")?.click();
    text.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
      if (key === "Enter" && (ctrlKey || metaKey)) send();
    });
    if (!tokens) return; // in the lab
    const choices = [...DEMO_TOKENS, ["unknown-token", "not valid"] as const];
    tokens.replaceChildren(
      ...choices.map(([token, effect]) =>
        new Option(`${token}: ${effect}`, token)
      ),
      new Option("no token", ""),
    );
    tokens.value = "demo-florist";
    tokens.addEventListener("change", () => {
      const [line] = text.value.split("\n");
      const { value } = tokens;
      text.value = `${line}${value && `\nAuthorization: Bearer ${value}`}`;
      send();
    });
    send();
  }

  /** Sends a request, shows the response, and explains it. */
  async #send(text: string, api: Handler): Promise<string> {
    this.querySelector("pre")!.replaceChildren();
    const [first = "", ...lines] = text.trim().split(/\n+/);
    const [method = "", path = ""] = first.split(/ +/);
    if (!/^\/\S*$/.test(path) || lines.some((line) => !/^[\w-]+:/.test(line))) {
      return "Write the first line as GET /path, and the others as Header: value.";
    }
    const headers = lines.map((line): [string, string] => {
      const [name = "", value = ""] = line.split(/: *(.*)/);
      return [name, value];
    });
    const [, token = ""] = /^Authorization: *Bearer +(.*)/im.exec(text) ?? [];
    // Where the explanation expects the plants.
    const shown = path.replace(/^\/plants\b/, PLANTS_PATH);
    const host = new Headers(headers).get("Host") ?? "localhost";
    const request = { method, url: new URL(shown, location.href), token };
    const received = await fetchResponse(
      request,
      undefined,
      (_, init) => api(new URL(path, `http://${host}`), { ...init, headers }),
    );
    const { response, body } = received;
    const head = createHead(response);
    this.querySelector("pre")!.replaceChildren(head, ...formatBody(received));
    const cards = toPlants(body)?.map(makeCard) ?? [];
    this.querySelector(".plants")?.replaceChildren(...cards);
    const time = new Date().toLocaleTimeString("en", { hourCycle: "h23" });
    const title = `${time}: ${titleOf(response)}`;
    // In the lab, the handler can return anything.
    if (!this.querySelector("select")) return title;
    const meaning = Object(body).message ??
      explain(request, received, undefined, 1);
    return `${title}. ${meaning}`;
  }
}

customElements.define("plant-live", LiveElement);
