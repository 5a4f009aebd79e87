import { make } from "../../src/explorer/client/dom.ts";

/** Shows a button that runs a task, and a note, which the result replaces. */
export function showButton(
  element: HTMLElement,
  label: string,
  note: string,
  task: () => Promise<string>,
): void {
  const button = make("button", {}, label);
  const status = make("span", { role: "status" }, note);
  button.addEventListener("click", async () => {
    button.disabled = true;
    // A script cannot be loaded, such as after a deployment.
    status.textContent = await task().catch(({ message }: Error) =>
      `Cannot run: ${message}. Reload the page, and try again.`
    );
    button.disabled = false;
  });
  element.replaceChildren(button, status);
}
