import { make } from "../../src/explorer/client/dom.ts";

/**
 * Shows a button that runs a task, and the text that the task returns.
 *
 * @param note The text to show before the task runs.
 */
export function showButton(
  element: HTMLElement,
  label: string,
  note: string,
  task: () => Promise<string>,
): void {
  const button = make("button", { type: "button" }, label);
  const status = make("span", { role: "status" }, note);
  button.addEventListener("click", async () => {
    button.disabled = true;
    status.textContent = await task().catch(explainFailure);
    button.disabled = false;
  });
  element.replaceChildren(button, status);
}

/** Explains why a script of this page could not be loaded, such as after a deployment. */
export function explainFailure({ message }: Error): string {
  return `Cannot run: ${message}. Reload the page, and try again.`;
}
