import { make } from "../../src/explorer/client/dom.ts";
import { readReply, type Reply } from "./reply.ts";

/** Time limits for a call, and for the start of a worker, in seconds. */
const LIMIT = 2, START_LIMIT = 20;

/** Runs the learner's code in a worker inside a sandboxed frame. */
export class Sandbox {
  readonly #parent: Element;
  readonly #url: string;
  readonly #pending = new Map<number, (reply: Reply) => void>();
  #frame: HTMLIFrameElement | undefined;
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

  /** Ends the previous code, and imports other code as handler.mjs. */
  async start(code: string, data: readonly unknown[]): Promise<Reply> {
    this.end("other code was started");
    const properties = { hidden: true, title: "Sandbox", src: this.#url };
    this.#frame = make("iframe", properties);
    this.#frame.sandbox.add("allow-scripts");
    this.#parent.append(this.#frame);
    const ready = await this.#wait(0, "The sandbox", START_LIMIT);
    if (ready.error !== "") return ready;
    return await this.call("handler.mjs", { code, data });
  }

  /**
   * Sends a message to the worker. If there is no reply in time, ends the worker.
   *
   * @param what The subject of the error message.
   */
  call(what: string, message: object): Promise<Reply> {
    const id = ++this.#count;
    this.#frame?.contentWindow?.postMessage({ id, ...message }, "*");
    return this.#wait(id, what, LIMIT);
  }

  /** Removes the frame, which ends its worker, even if that does not respond. */
  end(reason: string): void {
    this.#frame?.remove();
    this.#frame = undefined;
    this.#reason = reason;
    const reply = readReply({ error: reason });
    for (const resolve of this.#pending.values()) resolve(reply);
    this.#pending.clear();
  }

  close(): void {
    this.end("");
    removeEventListener("message", this.#receive);
  }

  #wait(id: number, what: string, limit: number): Promise<Reply> {
    const error = `${what} took longer than ${limit} seconds`;
    return new Promise((resolve) => {
      if (!this.#frame) return resolve(readReply({ error: this.#reason }));
      const timer = setTimeout(() => this.end(error), limit * 1_000);
      this.#pending.set(id, (reply) => {
        clearTimeout(timer);
        resolve(reply);
      });
    });
  }

  readonly #receive = ({ source, data }: MessageEvent): void => {
    if (!this.#frame || source !== this.#frame.contentWindow) return;
    const [id, value] = Array.isArray(data) ? data : [];
    const resolve = this.#pending.get(id);
    if (!resolve) return this.end("handler.mjs called postMessage");
    this.#pending.delete(id);
    resolve(readReply(value));
  };
}
