import { make } from "../../src/explorer/client/shared/dom.ts";
import { readReply, type Reply } from "./reply.ts";

/** The time limit for a call, in seconds. */
const LIMIT = 2;

/** Runs the learner's code in a worker inside a sandboxed frame. */
export class Sandbox {
  readonly #parent: Element;
  readonly #url: string;
  /** Functions that end the calls without a reply. */
  readonly #pending = new Set<(error: string) => void>();
  #frame: HTMLIFrameElement | undefined;
  #loaded: Promise<unknown> | undefined;
  #starts = 0;
  #reason = "";

  /**
   * @param parent The element that contains the frame.
   * @param url The URL of the page in the frame.
   */
  constructor(parent: Element, url: string) {
    this.#parent = parent;
    this.#url = url;
  }

  /**
   * Ends the previous code, and imports other code as handler.mjs. The frame stays,
   * unless the code before did not respond.
   */
  async start(code: string, data: object): Promise<Reply> {
    const start = ++this.#starts;
    const error = "other code was started";
    this.#settle(error);
    if (!this.#frame) {
      const properties = { hidden: true, title: "Sandbox", src: this.#url };
      const frame = this.#frame = make("iframe", properties);
      frame.sandbox.add("allow-scripts");
      this.#loaded = new Promise((resolve) => frame.onload = resolve);
      this.#parent.append(frame);
    }
    await this.#loaded;
    if (start !== this.#starts) return readReply({ error });
    const reply = await this.call("handler.mjs", { code, data });
    if (!/^SyntaxError\b/.test(reply.error) || reply.line > 0) return reply;
    const { line, column } = await this.call("handler.mjs", { broken: code });
    return { ...reply, line, column };
  }

  /**
   * Sends a message to the frame or its worker. If there is no reply in time, ends both.
   *
   * @param what The subject of the error message.
   */
  call(what: string, message: object): Promise<Reply> {
    return new Promise((resolve) => {
      const target = this.#frame?.contentWindow;
      if (!target) return resolve(readReply({ error: this.#reason }));
      const { port1, port2 } = new MessageChannel();
      const settle = (reply: unknown) => {
        clearTimeout(timer);
        this.#pending.delete(end);
        port1.close();
        resolve(readReply(reply));
      };
      const end = (error: string) => settle({ error });
      const timer = setTimeout(() => {
        this.end(
          `${what} took longer than ${LIMIT} seconds; is there an endless loop?`,
        );
      }, LIMIT * 1_000);
      this.#pending.add(end);
      port1.onmessage = ({ data }) => settle(data);
      target.postMessage(message, "*", [port2]);
    });
  }

  /** Removes the frame, which ends its worker, even if that does not respond. */
  end(reason: string): void {
    this.#frame?.remove();
    this.#frame = undefined;
    this.#reason = reason;
    this.#settle(reason);
  }

  #settle(error: string): void {
    for (const end of this.#pending) end(error);
  }

  /** Whether the code did not respond, so that it must be started again. */
  get hasEnded(): boolean {
    return !this.#frame;
  }
}
