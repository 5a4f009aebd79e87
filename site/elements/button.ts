import { make } from "../../src/explorer/client/dom.ts";

/** How long a task runs before the note says so, in milliseconds. */
const PATIENCE_MS = 200;

/** Shows a button that runs a task, and a note, which the result replaces. */
export function showButton(
  element: HTMLElement,
  label: string,
  note: string,
  task: () => Promise<string>,
): void {
  if (!isSecureContext) { // the API needs crypto.subtle
    element.textContent = "This needs HTTPS or localhost.";
    return;
  }
  const button = make("button", {}, label);
  const status = make("span", { role: "status" }, note);
  const show = (text: string) => status.textContent = text;
  button.addEventListener("click", async () => {
    if (button.ariaDisabled) return;
    button.ariaDisabled = "true"; // with `disabled`, it would lose the focus
    const timer = setTimeout(show, PATIENCE_MS, "Waiting…");
    // A script cannot be loaded, such as after a deployment.
    const result = await task().catch(({ message }: Error) =>
      `Cannot run: ${message}. Reload the page, and try again.`
    );
    clearTimeout(timer);
    show(result);
    button.ariaDisabled = null;
  });
  element.replaceChildren(button, status);
}
