import { withBase } from "vitepress";
import { type CaseResult, PLANTS, USERS, verify } from "plant-store/verify";
import { copyText } from "../../src/explorer/client/clipboard.ts";
import { make } from "../../src/explorer/client/dom.ts";
import { Contract } from "./contract.ts";
import { Editor } from "./editor.ts";
import { createArchive, pack, readHandler, unpack } from "./files.ts";
import { toResponse } from "./reply.ts";
import { Sandbox } from "./sandbox.ts";
import styles from "./lab.css?inline";

/** How long the learner pauses before the code runs, in milliseconds. */
const PAUSE = 400;

/** The name of the last starting point in the storage, and the start of other names. */
const KEY = "plant-store-lab";

/** An editor for a handler, and the test cases that it passes. */
export class LabElement extends HTMLElement {
  #editor!: Editor;
  #sandbox!: Sandbox;
  #contract!: Contract;
  /** The name of the code in the storage. */
  #name = "";
  /** The code that Reset restores. */
  #original = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of runs. Only the last one shows results. */
  #runs = 0;
  /** Says whether the link was copied. */
  readonly #note = make("small", {});

  connectedCallback(): void {
    // The styles of imported files would be part of every page.
    this.append(make("style", {}, styles));
    this.hidden = false;
    this.#sandbox = new Sandbox(this, withBase("/lab-frame/"));
    this.#editor = new Editor(this.#find(".editor"), this.#change);
    this.#on("change", "start", () => this.#choose());
    this.#on("change", "http", () => this.#showCases());
    this.#on("click", "run", () => this.#accept());
    this.#on("click", "reset", () => this.#editor.replace(this.#original));
    this.#on("click", "download", () => this.#download());
    this.#on("click", "link", () => this.#copyLink());
    addEventListener("hashchange", this.#openAddress);
    this.#openAddress();
  }

  disconnectedCallback(): void {
    clearTimeout(this.#timer);
    this.#runs++;
    this.#sandbox.close();
    removeEventListener("hashchange", this.#openAddress);
  }

  get #http(): HTMLInputElement {
    return this.#find("[name=http]");
  }

  get #level() {
    return this.#http.checked ? "http" : "core";
  }

  #find<T extends HTMLElement>(selector: string): T {
    return this.querySelector<T>(selector)!;
  }

  #on(type: string, name: string, listener: () => unknown): void {
    this.#find(`[name=${name}]`).addEventListener(type, listener);
  }

  /** Opens the code in the address, or at the last starting point. */
  readonly #openAddress = (): void => {
    const start = this.#find<HTMLSelectElement>("[name=start]");
    const [, fragment] = /^#code=(.+)$/.exec(location.hash) ?? [];
    if (fragment !== undefined) {
      start.value = "link";
      return this.#open(`link/${fragment}`, unpack(fragment), true);
    }
    start.value = useStorage((storage) => storage.getItem(KEY)) ?? "";
    if (start.selectedIndex < 0) start.selectedIndex = 0;
    this.#open(start.value, readHandler(start.value), false);
  };

  /** Opens the starting point that the learner has chosen. */
  #choose(): void {
    const { value } = this.#find<HTMLSelectElement>("[name=start]");
    history.replaceState(history.state, "", location.pathname);
    useStorage((storage) => storage.setItem(KEY, value));
    // The core test cases say nothing about caching.
    if (value === "exercise-3") this.#http.checked = true;
    this.#open(value, readHandler(value), false);
  }

  #open(name: string, original: string, isForeign: boolean): void {
    this.#name = name;
    this.#original = original;
    const stored = useStorage((storage) => storage.getItem(`${KEY}/${name}`));
    this.#editor.open(stored ?? original);
    this.#find(".foreign").hidden = !isForeign;
    this.#find(".results").hidden = isForeign;
    this.#showCases();
  }

  /** Runs code from a link. */
  #accept(): void {
    this.#find(".foreign").hidden = true;
    this.#find(".results").hidden = false;
    this.#editor.focus(1, 1);
    void this.#verify();
  }

  #showCases(): void {
    this.#contract = new Contract(this.#find(".contract"), this.#level);
    void this.#verify();
  }

  readonly #change = (): void => {
    const { code } = this.#editor;
    const name = `${KEY}/${this.#name}`;
    useStorage((storage) =>
      code === this.#original
        ? storage.removeItem(name)
        : storage.setItem(name, code)
    );
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#verify(), PAUSE);
  };

  /** Runs the test cases, and shows the results. */
  async #verify(): Promise<void> {
    clearTimeout(this.#timer);
    const run = ++this.#runs;
    if (this.#find(".results").hidden) return;
    const sandbox = this.#sandbox;
    const { code } = this.#editor;
    let { error, line, column } = await sandbox.start(code, [PLANTS, USERS]);
    const handler = async ({ method, url, headers }: Request) => {
      if (run !== this.#runs) throw new Error("other code was started");
      const { pathname, search } = new URL(url);
      const reply = await sandbox.call(`${method} ${pathname}${search}`, {
        request: { method, url, headers: [...headers] },
      });
      if (reply.error === "") return toResponse(reply);
      // The first error is the one to look at.
      if (error === "") ({ error, line, column } = reply);
      throw new Error(reply.error);
    };
    const level = this.#level;
    const tests = error === "" ? verify(handler, { level }) : [];
    const results: CaseResult[] = [];
    try {
      for await (const result of tests) results.push(result);
    } catch (thrown) { // the first response is not from this API
      error ||= (thrown as Error).message.replace(/;.*/, "");
    }
    if (run !== this.#runs) return;
    this.#contract.show(results);
    this.#report(results, error);
    this.#showPlace(line, column, error);
  }

  /** Reports the count and the first error, unless they are the same as before. */
  #report(results: readonly CaseResult[], error: string): void {
    const { length } = results.filter(({ status }) => status === "passed");
    const count = `${length} of ${this.#contract.length}`;
    const text = ` test cases passed. ${error}`;
    const status = this.#find("[role=status]");
    if (status.textContent === count + text) return;
    this.#note.textContent = "";
    status.replaceChildren(make("b", {}, count), text, this.#note);
  }

  #showPlace(line: number, column: number, error: string): void {
    this.#editor.mark(line, column, error);
    const button = this.#find("[name=place]");
    button.onclick = () => this.#editor.focus(line, column);
    button.textContent = `Go to line ${line}, column ${column}`;
    button.hidden = line === 0;
  }

  #download(): void {
    const href = URL.createObjectURL(createArchive(this.#editor.code));
    make("a", { href, download: "my-store.zip" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  async #copyLink(): Promise<void> {
    const url = new URL(location.href);
    url.hash = `code=${pack(this.#editor.code)}`;
    this.#find("[role=status]").append(this.#note);
    await copyText(url.href, this.#note);
  }
}

/** Uses the storage, which can be full or blocked. The code is lost then. */
function useStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

customElements.define("plant-lab", LabElement);
