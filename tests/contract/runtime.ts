import type { PlantStore } from "../../mod.ts";

/** The runtime that this is, as it says itself: `node@24.21.0`, `workerd`. */
export function nameRuntime(): string {
  const { navigator, process } = globalThis as Partial<typeof globalThis>;
  // It gives a version of Node too, as Deno and Bun do.
  if (navigator?.userAgent === "Cloudflare-Workers") return "workerd";
  const versions: Readonly<Record<string, string | undefined>> =
    process?.versions ?? {};
  const name = ["deno", "bun", "node"].find((name) => versions[name]);
  return `${name}@${versions[name ?? ""]}`;
}

/** The token that asks on which runtime the service is. */
const TOKEN = "runtime";

/** Gives a store one more user, whose only plant is named after the runtime. */
export function tellRuntime<Store extends PlantStore>(store: Store): Store {
  return {
    ...store,
    authenticate: (token) =>
      token === TOKEN
        ? { user: TOKEN, list: () => [{ name: nameRuntime() }] }
        : store.authenticate(token),
  };
}

/** The credentials that ask for that plant. */
export const ASK_RUNTIME: readonly [string, string] = [
  "Authorization",
  `Bearer ${TOKEN}`,
];
