import { withBase } from "vitepress";
import { PLANTS, USERS } from "plant-store/verify";
import { LAB_NOTE } from "../elements/button.ts";
import { copyText } from "../../src/explorer/client/shared/clipboard.ts";
import { make } from "../../src/explorer/client/shared/dom.ts";
import { EXERCISE_USERS, selectExercise } from "../../src/verify/exercises.ts";
import { runTests } from "../../src/verify/runner.ts";
import { Contract } from "./contract.ts";
import { Editor } from "./editor.ts";
import { createArchive, pack, plants, tokens, unpack } from "./files.ts";
import { type Reply, toResponse } from "./reply.ts";
import { Sandbox } from "./sandbox.ts";
import { data as STEPS } from "./steps.data.ts";
import { shorten } from "./shorten.ts";
import { read, readCode, write } from "./storage.ts";
import styles from "./lab.css?inline";

/** How long the learner pauses before the code runs, in milliseconds. */
const PAUSE = 400;

/** The time limit for all test cases, in seconds. */
const RUN_LIMIT = 20;

/** The maximum number of lines in the console. */
const MAX_LINES = 200;

const RUNNING = " Running…", FINISHED = " ✓";

/** What the handler receives after the request. */
const DATA = {
  tutorial: [JSON.parse(plants), JSON.parse(tokens)],
  tests: [PLANTS, EXERCISE_USERS],
};

/** The value of Authorization with a token of the test cases. */
const TEST_TOKEN = /^bearer +(?:test-|a\.b)/i;

/** A step of the tutorial, an editor for its handler, and what the handler does. */
export class LabElement extends HTMLElement {
  #editor!: Editor;
  #sandbox!: Sandbox;
  #contract!: Contract;
  #step = STEPS[0]!;
  /** Whether the code is from a link, and the reader has not decided to run it. */
  #isForeign = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of runs and edits. A run ends at the next one. */
  #runs = 0;
  /** The import of the code, or undefined if the code has changed. */
  #started: Promise<Reply> | undefined;
  /** Says whether the link was copied. */
  readonly #note = make("small", {});

  connectedCallback(): void {
    this.#find(".loading").remove();
    // The styles of imported files would be part of every page.
    this.append(make("style", {}, styles));
    this.#sandbox = new Sandbox(this, withBase("/lab-frame/"));
    this.#editor = new Editor(this.#find(".code"), this.#change, this.#verify);
    this.#list.append(
      ...STEPS.map(({ name, title }) =>
        new Option(title + (read(`${name}/finished`) ?? ""), name)
      ),
    );
    this.#list.onchange = () => this.#go(this.#list.value);
    this.#on("run", () => this.#accept());
    this.#on("own", () => this.#go(this.#step.name));
    this.#on("mine", () => {
      this.#editor.replace(this.#findMine()!.code);
      this.#show("code");
      this.#editor.focus(1, 1);
    });
    this.#on("undo", () => {
      if (this.#editor.undo()) return;
      this.#note.textContent = "There is nothing to undo.";
    });
    this.#on("reset", () => this.#editor.replace(this.#step.begin));
    this.#on("solve", () => this.#editor.replace(this.#step.solution));
    this.#on("download", () => this.#download());
    this.#on("link", () => this.#copyLink());
    for (const tab of this.querySelectorAll<HTMLInputElement>("[name=panel]")) {
      tab.onchange = () => this.#show(tab.value);
    }
    const [given, tested] = this.querySelectorAll(".data");
    given!.textContent = `${plants}\n${tokens}`;
    tested!.textContent = [...PLANTS, ...Object.entries(USERS)]
      .map((each) => JSON.stringify(each)).join("\n");
    addEventListener("hashchange", this.#openAddress);
    addEventListener("storage", this.#receive);
    this.#openAddress();
  }

  disconnectedCallback(): void {
    clearTimeout(this.#timer);
    this.#runs++;
    this.#sandbox.end("");
    removeEventListener("hashchange", this.#openAddress);
    removeEventListener("storage", this.#receive);
  }

  /** Sends a request to the handler, as the server of the tutorial does. */
  readonly api = async (url: string | URL, init: RequestInit) => {
    if (this.#isForeign) throw new Error("first, press “Run this code”");
    if (!this.#started || this.#sandbox.hasEnded) void this.#verify();
    const started = await this.#started!;
    const request = new Request(url, init);
    const token = request.headers.get("Authorization") ?? "";
    const data = TEST_TOKEN.test(token) ? "tests" : "tutorial";
    const { error, status, headers, body } = started.error === ""
      ? await this.#call(request, data)
      : started;
    if (error !== "") throw new Error(error);
    const isEmpty = body === "" || status === 304;
    const response = new Response(isEmpty ? null : body, { status, headers });
    const { size } = new Blob([body]);
    if (!isEmpty) response.headers.set("Content-Length", `${size}`);
    response.headers.set("X-Content-Type-Options", "nosniff");
    return response;
  };

  /** The list of steps. */
  get #list(): HTMLSelectElement {
    return this.#find("select");
  }

  #find<T extends HTMLElement>(selector: string): T {
    return this.querySelector<T>(selector)!;
  }

  #on(name: string, listener: () => unknown): void {
    this.#find(`[name=${name}]`).addEventListener("click", listener);
  }

  /** Shows a panel. */
  #show(name: string): void {
    const tab = this.#find<HTMLInputElement>(`[value=${name}]`);
    // On a wide screen, the task and the code have no tabs, and are always visible.
    if (tab.closest("label")?.offsetParent === null) return;
    this.dataset["panel"] = name;
    tab.checked = true;
  }

  /** Opens a step at once. If location.hash is set, hashchange fires only later. */
  #go(name: string): void {
    history.pushState(null, "", `#${name}`);
    this.#openAddress();
  }

  /** Opens the step or the code in the address, or the last step. */
  readonly #openAddress = (): void => {
    const address = /^#((?:step|exercise)-\d)?(?:,code=(.+))?$/
      .exec(location.hash);
    if (!address && this.#contract) return; // for example, of the skip link
    const [, name, code] = address ?? [];
    const last = name || read("step");
    this.#step = STEPS.find(({ name }) => name === last) ?? STEPS[0]!;
    this.#setSaved(write("step", this.#step.name));
    this.#list.value = this.#step.name;
    const task = make("div", { innerHTML: this.#step.task }); // from docs/tutorial.md
    const title = make("h2", {}, this.#step.title);
    this.#find(".task").replaceChildren(title, task);
    // On a phone, one panel is visible.
    const isNarrow = matchMedia("(max-width: 56rem)").matches;
    this.#show(!isNarrow ? "tests" : code ? "code" : "task");
    this.#find(".task").scrollTop = 0; // works only on what is visible
    const steps = STEPS.slice(0, STEPS.indexOf(this.#step) + 1);
    this.#contract = new Contract(this.#find(".tests"), steps, (request) => {
      this.#show("request");
      const text = this.#find<HTMLTextAreaElement>("textarea");
      text.value = request;
      text.focus();
      this.#find("plant-live button").click();
    });
    this.#open(code && unpack(code));
  };

  /** Opens the learner's code, or code from a link. */
  #open(foreign?: string): void {
    const isForeign = this.#isForeign = foreign !== undefined;
    this.#find(".foreign").hidden = !isForeign;
    for (const name of ["undo", "reset", "solve"]) {
      this.#find<HTMLButtonElement>(`[name=${name}]`).disabled = isForeign;
    }
    const saved = isForeign ? undefined : read(this.#step.name);
    this.#editor.open(foreign ?? this.#step.begin, isForeign, saved);
    this.#clear();
    void this.#verify();
  }

  /** Runs code from a link, and keeps it. */
  #accept(): void {
    const { code } = this.#editor;
    history.replaceState(history.state, "", `#${this.#step.name}`);
    this.#open();
    this.#editor.replace(code);
    this.#editor.focus(1, 1);
  }

  #load(): string {
    return readCode(this.#step.name) ?? this.#step.begin;
  }

  /** Finds the learner's code of an earlier step, unless this step starts with the same. */
  #findMine(): { title: string; code: string } | undefined {
    const { begin } = this.#step;
    const earlier = STEPS.slice(0, STEPS.indexOf(this.#step));
    const codes = earlier.map(({ name, title }) => (
      { title, code: readCode(name) ?? begin }
    ));
    return codes.findLast(({ code }) => code !== begin);
  }

  /** Removes the responses of other code, and offers the learner's instead of a sample. */
  #clear(): void {
    this.#note.textContent = "";
    const mine = this.#findMine();
    const { code } = this.#editor;
    this.#find(".sample").hidden = !mine || code !== this.#step.begin;
    this.#find(".sample b").textContent = mine?.title ?? "";
    const find = (selector: string) => this.querySelectorAll(selector);
    find("plant-run > div, plant-live pre").forEach((each) =>
      each.replaceChildren()
    );
    find(":is(plant-run, plant-live) [role=status]").forEach((each) =>
      each.textContent = LAB_NOTE
    );
  }

  #setSaved(isSaved: boolean): void {
    this.#find(".unsaved").hidden = isSaved;
  }

  /** Shows the code that another tab has saved, so that no tab overwrites it. */
  readonly #receive = ({ key }: StorageEvent): void => {
    if (this.#isForeign || !key?.endsWith(`/${this.#step.name}`)) return;
    this.#editor.replace(this.#load());
  };

  readonly #change = (): void => {
    const { code } = this.#editor;
    // Code from another tab is saved already, and newer code can follow.
    if (code !== this.#load()) {
      this.#setSaved(write(this.#step.name, this.#editor.saved));
    }
    clearTimeout(this.#timer);
    this.#runs++;
    this.#started = undefined;
    this.#clear();
    this.#contract.start();
    this.#showCount(RUNNING);
    this.#timer = setTimeout(this.#verify, PAUSE);
  };

  /** Shows the count, which screen readers read at the end of a run. */
  #showCount(text: string, error = "", ...rest: (Node | string)[]): void {
    const { passed: { length }, ids } = this.#contract;
    const report = this.#find(".report");
    report.ariaBusy = `${text === RUNNING}`;
    const result = length === ids.length ? "passed" : "some";
    report.dataset["result"] = error ? "failed" : result;
    const count = make("b", {}, `${length} of ${ids.length}`);
    const reason = make("strong", {}, shorten(error, 200));
    report.replaceChildren(make("span", {}, count, text, reason), ...rest);
  }

  async #call(request: Request, name: keyof typeof DATA): Promise<Reply> {
    const { method, url, headers } = request;
    const { pathname, search } = new URL(url);
    const what = `${method} ${pathname}${search}`;
    const sent = { method, url, what, headers: [...headers] };
    const reply = await this.#sandbox.call(what, { request: sent, name });
    this.#print(what, reply);
    return reply;
  }

  /** Adds what the code printed to the console. Equal lines are counted. */
  #print(what: string, { printed }: Pick<Reply, "printed">): void {
    const list = this.#find(".console ol");
    for (const line of printed) {
      const item = make("li", {}, make("small", {}, what), ` ${line}`);
      const last = list.lastElementChild as HTMLElement | null;
      if (last?.textContent === item.textContent) {
        last.dataset["count"] = `${Number(last.dataset["count"] ?? 1) + 1}`;
      } else list.append(item);
    }
    while (list.childElementCount > MAX_LINES) list.firstElementChild!.remove();
    this.#find(".lines").textContent = `${list.childElementCount || ""}`;
  }

  /** Runs the test cases, and shows each result. */
  readonly #verify = async (): Promise<void> => {
    clearTimeout(this.#timer);
    const run = ++this.#runs;
    this.#find(".console ol").replaceChildren();
    this.#print("", { printed: [] });
    this.#find(".report").replaceChildren();
    if (this.#isForeign) return;
    const contract = this.#contract;
    contract.start();
    this.#showCount(RUNNING);
    this.#started = this.#sandbox.start(this.#editor.code, DATA);
    const started = await this.#started;
    if (run !== this.#runs) return;
    this.#print("import", started);
    let { error, line, column } = started;
    let firstUrl = "";
    const handler = async (request: Request) => {
      firstUrl ||= request.url;
      if (run !== this.#runs) throw new Error("other code was started");
      const reply = await this.#call(request, "tests");
      if (reply.error === "") return toResponse(reply);
      // The first error is the one to look at.
      if (error === "") ({ error, line, column } = reply);
      throw new Error(reply.error);
    };
    const limit = setTimeout(() => {
      this.#sandbox.end(`the test cases took longer than ${RUN_LIMIT} seconds`);
    }, RUN_LIMIT * 1_000);
    // Without the module, there is nothing to call.
    const results = error === ""
      ? runTests(handler, selectExercise(this.#step.exercise), {
        timeout: 5_000,
      })
      : [];
    try {
      for await (const result of results) {
        if (run !== this.#runs) break;
        contract.add(result);
        this.#showCount(RUNNING);
        if (this.#sandbox.hasEnded) break;
      }
    } catch (thrown) { // the first response is not from this API
      const { message } = thrown as Error;
      error ||=
        `${message}; the request has a valid token, and request.url is "${firstUrl}"`;
    }
    clearTimeout(limit);
    if (run !== this.#runs) return;
    contract.show(false);
    // An error in response to a request of a later step is not a problem yet.
    if (contract.passed.length === contract.ids.length) {
      [error, line] = ["", 0];
      // No test case checks exercise 1.
      if (this.#step.cases.length > 0) {
        write(`${this.#step.name}/finished`, FINISHED);
        this.#list.selectedOptions[0]!.text = this.#step.title + FINISHED;
      }
    }
    // The error can be reported after the end of the code.
    line = Math.min(line, this.#editor.code.split("\n").length);
    const button = this.#createButton(line, column);
    this.#showCount(" test cases passed. ", error, button, this.#note);
    this.#editor.mark(line, column, error);
  };

  /** Creates a button for what to do next: to fix an error, or to open the next step. */
  #createButton(line: number, column: number): HTMLElement | string {
    const next = STEPS[STEPS.indexOf(this.#step) + 1];
    const { passed, ids } = this.#contract;
    if (line === 0 && passed.length < ids.length) return "";
    if (line === 0 && !next) return "You have finished the course. ";
    const text = line > 0 ? `Go to line ${line}` : "Next step";
    const button = make("button", {}, text);
    button.onclick = () => {
      this.#show(line > 0 ? "code" : "task");
      if (line > 0) return this.#editor.focus(line, column);
      this.#go(next!.name);
      this.#find(".task").focus();
    };
    return button;
  }

  #download(): void {
    const href = URL.createObjectURL(createArchive(this.#editor.code));
    make("a", { href, download: "my-store.zip" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  }

  async #copyLink(): Promise<void> {
    const url = new URL(location.href);
    url.hash = `${this.#step.name},code=${pack(this.#editor.code)}`;
    await copyText(url.href, this.#note);
  }
}

customElements.define("plant-lab", LabElement);
