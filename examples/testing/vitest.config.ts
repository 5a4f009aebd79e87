import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["vitest.test.ts"],
    // Only needed here, because a checkout has no build of the package.
    alias: { "plant-store": new URL("../../mod.ts", import.meta.url).pathname },
  },
});
