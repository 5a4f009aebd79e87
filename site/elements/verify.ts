import { showButton } from "./button.ts";

/** A button that runs the contract against the API in the page. */
export class VerifyElement extends HTMLElement {
  connectedCallback(): void {
    showButton(this, "Run the test cases", "", verifyApi);
  }
}

/** Runs the contract with its test data, and describes the result. */
async function verifyApi(): Promise<string> {
  const { createHandler, createMemoryStore } = await import("plant-store");
  const { PLANTS, USERS, verify } = await import("plant-store/verify");
  const store = createMemoryStore({ plants: PLANTS, users: USERS });
  const start = performance.now();
  let passed = 0, skipped = 0;
  const failed: string[] = [];
  for await (const { title, status } of verify(createHandler(store))) {
    if (status === "passed") passed++;
    else if (status === "skipped") skipped++;
    else failed.push(title);
  }
  const time = (performance.now() - start).toFixed(0);
  return [
    `${passed} of ${passed + failed.length} test cases passed in ${time} ms.`,
    `${skipped} others need a server.`,
    ...failed.map((title) => `Failed: ${title}.`),
  ].join(" ");
}
