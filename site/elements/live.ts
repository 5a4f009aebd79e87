import {
  fetchResponse,
  headersOf,
  PLANTS_PATH,
  toPlants,
} from "../../src/explorer/client/api.ts";
import { explain, titleOf } from "../../src/explorer/client/explain.ts";
import { formatBody } from "../../src/explorer/client/format_body.ts";
import { makeCard } from "../../src/explorer/client/plant_cards.ts";
import { showButton } from "./button.ts";
import { createHead } from "./run.ts";

/** A form for a token and a limit, and the last request with its response. */
export class LiveElement extends HTMLElement {
  connectedCallback(): void {
    const form = this.querySelector("form")!;
    const note = "Runs in your browser. Nothing leaves it.";
    showButton(this.querySelector("p")!, "Send", note, () => {
      const { token, limit } = form;
      return this.#send(token.value, limit.value);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    const send = () => this.querySelector("button")?.click();
    form.token.addEventListener("change", send);
    send();
  }

  /** Sends a request, shows it with the response, and explains the response. */
  async #send(token: string, limit: string): Promise<string> {
    const { api } = await import("./api.ts");
    const url = new URL(PLANTS_PATH, location.href);
    if (limit !== "") url.searchParams.set("limit", limit);
    const request = { method: "GET", url, token };
    const target = `/plants${url.search}`;
    const received = await fetchResponse(
      request,
      undefined,
      (_, init) => api(`http://127.0.0.1:8000${target}`, init),
    );
    const { response, body } = received;
    const lines = headersOf(request).map((header) => `${header.join(": ")}\n`);
    const [sent, shown] = this.querySelectorAll("pre");
    sent!.textContent = `GET ${target} HTTP/1.1\n${lines.join("")}`;
    const head = createHead(response);
    shown!.replaceChildren(head, ...formatBody(received));
    const cards = toPlants(body)?.map(makeCard) ?? [];
    this.querySelector(".plants")!.replaceChildren(...cards);
    this.dataset["status"] = `${response.status}`;
    const meaning = Object(body).message ??
      explain(request, received, undefined, 1);
    const time = new Date().toLocaleTimeString("en", { hourCycle: "h23" });
    return `${time}: ${titleOf(response)}. ${meaning}`;
  }
}
