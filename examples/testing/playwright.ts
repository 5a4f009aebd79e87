import type { Page } from "playwright-core"; // or "@playwright/test"
import { handler } from "./plants.ts";

/** Responds to the requests that a page sends to the service. */
export async function routePlants(page: Page): Promise<void> {
  await page.route("https://plants.example/**", async (route) => {
    const request = route.request();
    const response = await handler(request.url(), {
      method: request.method(),
      headers: request.headers(),
    });
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    });
  });
}
