import { createDemoStore, createHandler } from "plant-store";
import { openapi } from "plant-store/openapi";

/** The paths of the API in its folder. */
const PATHS = /^(?:plants|healthz|readyz|openapi\.json)$/;

/**
 * Returns a function that responds to requests for a folder of the site. Like a
 * server, it responds with 404 to scripts that request an unknown path. It returns
 * undefined for pages, for files with an extension, and for other folders.
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
    const [path = ""] = href.slice(folder.href.length).split(/[?#]/);
    const isFile = request.mode === "navigate" || /^$|\.\w+$/.test(path);
    return PATHS.test(path) || !isFile ? handler(request) : undefined;
  };
}
