import { make } from "../../src/explorer/client/dom.ts";
import { readReply, type Reply } from "./reply.ts";

/** Time limits for a call, and for the start of a worker, in milliseconds. */
const LIMIT = 2_000, START_LIMIT = 20_000;

/** Runs code of the learner in a worker inside a sandboxed frame. */
export class Sandbox {
  readonly #parent: Element;
  readonly #url: string;
  readonly #pending = new Map<number, (reply: Reply) => void>();
  #frame: HTMLIFrameElement | undefined;
  #loaded: Promise<unknown> = Promise.resolve();
  #count = 0;
  #reason = "";

  /**
   * @param parent The element that contains the frame.
   * @param url The URL of the page in the frame.
   */
  constructor(parent: Element, url: string) {
    this.#parent = parent;
    this.#url = url;
    addEventListener("message", this.#receive);
  }

  /** Whether calls reach the code. */
  get isRunning(): boolean {
    return this.#frame !== undefined;
  }

  /** Ends the previous code, and imports other code as handler.mjs. */
  async start(code: string, data: object): Promise<Reply> {
    if (!this.#frame) this.#load();
    await this.#loaded;
    this.#settle("other code was started");
    const started = await this.call("The sandbox", { restart: true });
    if (started.error !== "") return started;
    return await this.call("handler.mjs", { code, data });
  }

  /**
   * Sends a message to the worker. If there is no reply in time, ends the worker.
   *
   * @param what What takes too long then, for the message.
   */
  call(what: string, message: object): Promise<Reply> {
    const limit = "restart" in message ? START_LIMIT : LIMIT;
    const id = ++this.#count;
    return new Promise((resolve) => {
      if (!this.#frame) return resolve(readReply({ error: this.#reason }));
      const error = `${what} took longer than ${
        limit / 1_000
      } seconds, so the lab ended it`;
      const timer = setTimeout(() => this.end(error), limit);
      this.#pending.set(id, (reply) => {
        clearTimeout(timer);
        resolve(reply);
      });
      this.#frame.contentWindow!.postMessage({ id, ...message }, "*");
    });
  }

  /** Removes the frame, which ends its worker, even if that does not respond. */
  end(reason: string): void {
    this.#reason = reason;
    this.#frame?.remove();
    this.#frame = undefined;
    this.#settle(reason);
  }

  close(): void {
    this.end("");
    removeEventListener("message", this.#receive);
  }

  #load(): void {
    const properties = { hidden: true, title: "Sandbox", src: this.#url };
    const frame = this.#frame = make("iframe", properties);
    frame.sandbox.add("allow-scripts");
    this.#loaded = new Promise((resolve) => frame.onload = resolve);
    this.#parent.append(frame);
  }

  readonly #receive = ({ source, data }: MessageEvent): void => {
    if (!this.#frame || source !== this.#frame.contentWindow) return;
    const [id, value] = Array.isArray(data) ? data : [];
    this.#pending.get(id)?.(readReply(value));
    this.#pending.delete(id);
  };

  #settle(error: string): void {
    const reply = readReply({ error });
    for (const resolve of this.#pending.values()) resolve(reply);
    this.#pending.clear();
  }
}
