import { createDemoStore, createHandler } from "plant-store";
import { openapi } from "plant-store/openapi";

/**
 * Returns a function that responds to requests for a folder of the site, including
 * those for unknown paths. It returns undefined for the page, the scripts, and other
 * folders.
 */
export function createApi(
  folder: URL,
): (request: Request) => Promise<Response> | undefined {
  const basePath = folder.pathname.slice(0, -1);
  // The bundle contains the store, so all plants and tokens are public.
  const handler = createHandler(createDemoStore(), {
    openapi,
    ...basePath !== "" && { basePath },
  });
  return (request) => {
    const { href } = new URL(request.url);
    if (!href.startsWith(folder.href)) return undefined;
    const [path] = href.slice(folder.href.length).split(/[?#]/);
    return path === "" || /\.(?:html|js)$/.test(path!)
      ? undefined
      : handler(request);
  };
}
