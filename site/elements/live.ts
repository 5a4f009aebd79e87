import { DEMO_TOKENS } from "../../src/domain/demo_tokens.ts";
import { PLANTS_PATH } from "../../src/page/client/api.ts";
import { explain, titleOf } from "../../src/page/client/explain.ts";
import {
  showHeaders,
  sortHeaders,
} from "../../src/page/client/header_table.ts";
import { send } from "./send.ts";

const TOKENS = [...DEMO_TOKENS, ["unknown-token", "not valid"]].map(
  ([token, effect]) => `<option value="${token}">${token}: ${effect}</option>`,
);

const HTML = `<div>
<form aria-label="Request">
<label>Token <select aria-label="Token" name="token">
${TOKENS.join("\n")}
<option value="">no token</option>
</select></label>
<label>Limit
<input aria-label="Limit" name="limit" value="2" inputmode="numeric">
</label>
<button>Send</button>
</form>
<pre class="request"></pre>
<p class="status" role="status"></p>
<p class="meaning"></p>
<pre class="body" tabindex="0" aria-label="Response body"></pre>
<p>This API runs in your browser; nothing leaves it. To see more, open the
<a href="api/" target="_self">API explorer</a>.</p>
</div>
<table id="live-headers" aria-label="Response headers"></table>`;

/** A request whose token and limit can be changed, and the response. */
export class LiveElement extends HTMLElement {
  /** The number of requests. */
  #count = 0;

  connectedCallback(): void {
    this.innerHTML = HTML;
    const form = this.querySelector("form")!;
    form["token"].value = "demo-florist";
    for (const type of ["submit", "input"]) {
      form.addEventListener(type, (event) => {
        event.preventDefault();
        this.#send(form);
      });
    }
    this.#send(form);
  }

  /** Sends the request and shows the response, unless another request was sent. */
  async #send(form: HTMLFormElement): Promise<void> {
    const token: string = form["token"].value,
      limit: string = form["limit"].value;
    const query = limit === "" ? "" : `?${new URLSearchParams({ limit })}`;
    const authorization = ["Authorization", `Bearer ${token}`] as const;
    const headers = token === "" ? [] : [authorization];
    const lines = headers.map((header) => header.join(": "));
    this.#show("request", [`GET /plants${query}`, ...lines].join("\n"));
    this.#show("status", "Waiting…");
    const count = ++this.#count;
    const received = await send("GET", `/plants${query}`, headers);
    if (count !== this.#count) return;
    const { response, text, body } = received;
    const url = new URL(PLANTS_PATH + query, location.href);
    const meaning = response.status === 503
      ? ""
      : explain({ method: "GET", url, token }, received, undefined, 1);
    this.dataset["status"] = `${response.status}`;
    this.#show("status", titleOf(response));
    this.#show("meaning", meaning || Object(body).message);
    this.#show("body", text);
    showHeaders("live-headers", sortHeaders(response.headers));
  }

  #show(name: string, text: string): void {
    this.querySelector(`.${name}`)!.textContent = text;
  }
}
