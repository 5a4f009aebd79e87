import type { PlantStore } from "../../mod.ts";

/** Returns the name of this runtime, like `node@24.21.0` or `workerd`. */
export function nameRuntime(): string {
  const { navigator, process } = globalThis as Partial<typeof globalThis>;
  // Like Deno and Bun, workerd also reports a Node.js version.
  if (navigator?.userAgent === "Cloudflare-Workers") return "workerd";
  const versions: Readonly<Record<string, string | undefined>> =
    process?.versions ?? {};
  const name = ["deno", "bun", "node"].find((name) => versions[name]);
  return `${name}@${versions[name ?? ""]}`;
}

/** The token of the user who sees the name of the runtime. */
const TOKEN = "runtime";

/** Adds a user to a store, whose only plant is named after the runtime. */
export function addRuntime<Store extends PlantStore>(store: Store): Store {
  return {
    ...store,
    authenticate: (token) =>
      token === TOKEN
        ? { name: TOKEN, list: () => [{ name: nameRuntime() }] }
        : store.authenticate(token),
  };
}

/** The credentials of that user. */
export const RUNTIME_USER: readonly [string, string] = [
  "Authorization",
  `Bearer ${TOKEN}`,
];
