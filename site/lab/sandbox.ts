import { make } from "../../src/explorer/client/shared/dom.ts";
import { readReply, type Reply } from "./reply.ts";

/** Time limits for a call, and for the start of a worker, in seconds. */
const LIMIT = 2, START_LIMIT = 20;

/** Runs the learner's code in a worker inside a sandboxed frame. */
export class Sandbox {
  readonly #parent: Element;
  readonly #url: string;
  readonly #pending = new Map<number, (reply: Reply) => void>();
  #frame: HTMLIFrameElement | undefined;
  #ready!: Promise<Reply>;
  #count = 0;
  /** The number of calls before the last start, to which late replies can come. */
  #first = 0;
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

  /**
   * Ends the previous code, and imports other code as handler.mjs. The frame stays,
   * unless the code before did not respond.
   */
  async start(code: string, data: object): Promise<Reply> {
    this.#settle("other code was started");
    if (!this.#frame) {
      const properties = { hidden: true, title: "Sandbox", src: this.#url };
      this.#frame = make("iframe", properties);
      this.#frame.sandbox.add("allow-scripts");
      this.#parent.append(this.#frame);
      this.#ready = this.#wait(0, "The sandbox", START_LIMIT);
    }
    const run = this.#first = ++this.#count;
    const ready = await this.#ready;
    if (ready.error !== "") return ready;
    // Other code was started in the meantime.
    if (run !== this.#first) {
      return readReply({ error: "other code was started" });
    }
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
    this.#settle(reason, true);
  }

  /** Ends all calls, and if the frame has ended, the wait for it. */
  #settle(error: string, hasEnded = false): void {
    for (const [id, resolve] of this.#pending) {
      if (id !== 0 || hasEnded) resolve(readReply({ error }));
    }
  }

  /** Whether the code did not respond, so that it must be started again. */
  get hasEnded(): boolean {
    return !this.#frame;
  }

  close(): void {
    this.end("");
    removeEventListener("message", this.#receive);
  }

  #wait(id: number, what: string, limit: number): Promise<Reply> {
    const error =
      `${what} took longer than ${limit} seconds; is there an endless loop?`;
    return new Promise((resolve) => {
      if (!this.#frame) return resolve(readReply({ error: this.#reason }));
      const timer = setTimeout(() => this.end(error), limit * 1_000);
      this.#pending.set(id, (reply) => {
        clearTimeout(timer);
        this.#pending.delete(id);
        resolve(reply);
      });
    });
  }

  readonly #receive = ({ source, data }: MessageEvent): void => {
    if (!this.#frame || source !== this.#frame.contentWindow) return;
    const [id, value] = Array.isArray(data) ? data : [];
    const resolve = this.#pending.get(id);
    if (resolve) return resolve(readReply(value));
    if (!(id < this.#first)) this.end("handler.mjs called postMessage");
  };
}
