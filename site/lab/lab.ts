import { withBase } from "vitepress";
import {
  type CaseResult,
  type Level,
  PLANTS,
  USERS,
  verify,
} from "plant-store/verify";
import { copyText } from "../../src/explorer/client/clipboard.ts";
import { make } from "../../src/explorer/client/dom.ts";
import { createHead } from "../elements/run.ts";
import { Contract } from "./contract.ts";
import { Editor } from "./editor.ts";
import {
  createArchive,
  LESSON,
  MAX_CODE,
  pack,
  readHandler,
  unpack,
} from "./files.ts";
import { type Reply, toResponse } from "./reply.ts";
import { Sandbox } from "./sandbox.ts";
import styles from "./lab.css?inline";

/** How long the learner pauses before the code runs, in milliseconds. */
const PAUSE = 400;

/** The name of the last starting point in the storage, and the start of other names. */
const KEY = "plant-store-lab";

/** The plants and users for the test cases, and for the requests of the learner. */
const DATA = { test: [PLANTS, USERS], lesson: LESSON };

/** An editor for a handler, and the test cases that it passes. */
export class LabElement extends HTMLElement {
  #editor!: Editor;
  #sandbox!: Sandbox;
  #contract!: Contract;
  /** The name of the code in the storage. */
  #name = "";
  /** The code that Reset restores. */
  #original = "";
  /** Whether the code is from a link, and the learner has not run it. */
  #isForeign = false;
  /** The code in the sandbox, and the reply to its import. */
  #code: string | undefined;
  #started!: Promise<Reply>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of runs. Only the last one shows results. */
  #runs = 0;

  connectedCallback(): void {
    // The styles of imported files would be part of every page.
    this.append(make("style", {}, styles));
    this.hidden = false;
    this.#sandbox = new Sandbox(this, withBase("/lab-frame/"));
    this.#editor = new Editor(this.#find(".editor"), this.#change);
    this.#on("change", "start", () => this.#choose());
    this.#on("change", "http", () => this.#showCases());
    this.#on("click", "run", () => {
      this.#setForeign(false);
      this.#editor.focus(1, 1);
      return this.#verify();
    });
    this.#on("click", "reset", () => this.#editor.replace(this.#original));
    this.#on("click", "download", () => this.#download());
    this.#on("click", "link", () => this.#copyLink());
    this.#on("click", "place", ({ dataset: { line, column } }) => {
      this.#editor.focus(Number(line), Number(column));
    });
    this.#find("form").addEventListener("submit", (event) => {
      event.preventDefault();
      return this.#send();
    });
    addEventListener("hashchange", this.#openAddress);
    this.#openAddress();
  }

  disconnectedCallback(): void {
    clearTimeout(this.#timer);
    this.#runs++;
    this.#sandbox.close();
    removeEventListener("hashchange", this.#openAddress);
  }

  get #select(): HTMLSelectElement {
    return this.#find("[name=start]");
  }

  get #http(): HTMLInputElement {
    return this.#find("[name=http]");
  }

  get #level(): Level {
    return this.#http.checked ? "http" : "core";
  }

  #find<T extends HTMLElement>(selector: string): T {
    return this.querySelector<T>(selector)!;
  }

  #on(
    type: string,
    name: string,
    listener: (control: HTMLElement) => unknown,
  ): void {
    const control = this.#find(`[name=${name}]`);
    control.addEventListener(type, () => listener(control));
  }

  /** Opens the code in the address, or at the last starting point. */
  readonly #openAddress = (): void => {
    const start = this.#select;
    const [, fragment] = /^#code=(.+)$/.exec(location.hash) ?? [];
    try {
      if (fragment !== undefined) {
        const code = unpack(fragment);
        start.value = "link";
        return this.#open(`link/${fragment}`, code, true);
      }
    } catch {
      this.#report("Error", "The link contains no code. Copy it again.");
    }
    start.value = read(KEY) ?? "";
    if (start.selectedIndex < 0) start.selectedIndex = 0;
    this.#open(start.value, readHandler(start.value)!, false);
  };

  #choose(): void {
    const { value } = this.#select;
    history.replaceState(history.state, "", location.pathname);
    write(KEY, value);
    // The core test cases say nothing about caching.
    if (value === "exercise-3") this.#http.checked = true;
    this.#open(value, readHandler(value)!, false);
  }

  #open(name: string, original: string, isForeign: boolean): void {
    this.#name = name;
    this.#original = original;
    this.#editor.open(read(`${KEY}/${name}`) ?? original);
    this.#setForeign(isForeign);
    this.#showCases();
  }

  #setForeign(isForeign: boolean): void {
    this.#isForeign = isForeign;
    this.#find(".foreign").hidden = !isForeign;
    this.#find(".results").hidden = isForeign;
  }

  #showCases(): void {
    this.#contract = new Contract(this.#find(".contract"), this.#level);
    void this.#verify();
  }

  readonly #change = (): void => {
    const { code } = this.#editor;
    write(`${KEY}/${this.#name}`, code === this.#original ? undefined : code);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#verify(), PAUSE);
  };

  /** Imports the code of the editor, unless it runs. */
  #start(): Promise<Reply> {
    const { code } = this.#editor;
    if (code !== this.#code || !this.#sandbox.isRunning) {
      this.#code = code;
      this.#started = this.#sandbox.start(code, DATA);
    }
    return this.#started;
  }

  /** Runs the test cases, and shows the results. */
  async #verify(): Promise<void> {
    clearTimeout(this.#timer);
    const run = ++this.#runs;
    if (this.#isForeign) return;
    if (this.#editor.code.length > MAX_CODE) {
      return this.#report("Error", "The code is too long.");
    }
    const panel = this.#find(".results");
    panel.ariaBusy = "true";
    let { error, line, column } = await this.#start();
    const handler = async ({ method, url, headers }: Request) => {
      const request = { url, init: { method }, headers: [...headers] };
      const { pathname, search } = new URL(url);
      const what = `${method} ${pathname}${search}`;
      const reply = await this.#sandbox.call(what, { request, name: "test" });
      if (reply.error === "") return toResponse(reply);
      // The first error is the one to look at, unless another one ended the code.
      if (error === "" || !this.#sandbox.isRunning) {
        ({ error, line, column } = reply);
      }
      throw new Error(reply.error);
    };
    const results: CaseResult[] = [];
    try {
      const level = this.#level;
      if (error === "") {
        for await (const result of verify(handler, { level })) {
          if (run !== this.#runs) return;
          results.push(result);
        }
      }
    } catch (thrown) { // the first response is not from this API
      error ||= (thrown as Error).message.replace(/;.*/, "");
    }
    if (run !== this.#runs) return;
    panel.ariaBusy = null;
    this.#contract.show(results);
    const { length } = results.filter(({ status }) => status === "passed");
    const count = `${length} of ${this.#contract.length}`;
    this.#report(count, `test cases passed. ${error}`);
    this.#showPlace(line, column, error);
  }

  #showPlace(line: number, column: number, error: string): void {
    this.#editor.mark(line, column, error);
    const button = this.#find("[name=place]");
    Object.assign(button.dataset, { line, column });
    button.textContent = `Go to line ${line}, column ${column}`;
    button.hidden = line === 0;
  }

  /** Reports a result, unless it is the same as before. */
  #report(result: string, text: string): void {
    const status = this.#find("[role=status]");
    const parts = [make("b", {}, result), ` ${text}`, make("small", {})];
    const next = make("p", {}, ...parts).textContent;
    if (status.textContent !== next) status.replaceChildren(...parts);
  }

  /** Adds a note to the result. */
  #note(text: string): void {
    this.#find("[role=status] small").textContent = text;
  }

  /** Sends the request of the form, and shows the response. */
  async #send(): Promise<void> {
    const values = new FormData(this.#find<HTMLFormElement>("form"));
    const [method, path, token] = ["method", "path", "token"]
      .map((name) => `${values.get(name)}`);
    const url = `http://127.0.0.1:8000${path}`;
    const headers = token ? [["Authorization", `Bearer ${token}`]] : [];
    const request = { url, init: { method }, headers };
    const started = await this.#start();
    const reply = started.error === ""
      ? await this.#sandbox.call(
        `${method} ${path}`,
        { request, name: "lesson" },
      )
      : started;
    const { error, line, log } = reply;
    const shown = this.#find("form + pre");
    shown.textContent = [
      ...log.map((text) => `console: ${text}\n`),
      ...error === ""
        ? [createHead(toResponse(reply)), reply.body]
        : [error, line > 0 ? ` (line ${line})` : ""],
    ].join("");
    shown.hidden = false;
    this.#note(error || `Response: ${reply.status}`);
  }

  #download(): void {
    const href = URL.createObjectURL(createArchive(this.#editor.code));
    make("a", { href, download: "my-store.zip" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  async #copyLink(): Promise<void> {
    const url = new URL(location.href);
    url.hash = `code=${pack(this.#editor.code)}`;
    const output = make("p", {});
    await copyText(url.href, output);
    this.#note(output.textContent);
  }
}

// The storage can be full or blocked.

function read(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // The code is lost when the page is closed.
  }
}

customElements.define("plant-lab", LabElement);
