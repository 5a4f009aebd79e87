import type { Handler } from "plant-store";
import { make } from "../../src/explorer/client/shared/dom.ts";

/** How long a task runs before the note says so, in milliseconds. */
const PATIENCE_MS = 200;

export const LAB_NOTE = "Calls your handler.";

/**
 * Shows a button that runs a task, and a note, which the result replaces.
 *
 * @param task Receives the handler to call: in the lab, the learner's.
 */
export function showButton(
  element: HTMLElement,
  label: string,
  task: (api: Handler) => Promise<string>,
): void {
  const lab = element.closest<HTMLElement & { api: Handler }>("plant-lab");
  if (!lab && !isSecureContext) { // the demo needs crypto.subtle
    element.textContent = "This needs HTTPS or localhost.";
    return;
  }
  const note = lab ? LAB_NOTE : "Runs in your browser. Nothing leaves it.";
  const button = make("button", {}, label);
  const status = make("span", { role: "status" }, note);
  const show = (text: string) => status.textContent = text;
  button.addEventListener("click", async () => {
    if (button.ariaDisabled) return;
    button.ariaDisabled = "true"; // with `disabled`, it would lose the focus
    const timer = setTimeout(show, PATIENCE_MS, "Waiting…");
    try {
      show(await task(lab?.api ?? (await import("./api.ts")).api));
    } catch (error) {
      // A script cannot be loaded, such as after a deployment.
      const tip = lab ? "" : " Reload the page, and try again.";
      show(`Cannot run: ${(error as Error).message}.${tip}`);
    }
    clearTimeout(timer);
    button.ariaDisabled = null;
  });
  element.replaceChildren(button, status);
}
