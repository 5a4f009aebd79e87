import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["vitest.test.ts"],
    // Needed only in this repository, where the package is not built.
    alias: { "plant-store": new URL("../../mod.ts", import.meta.url).pathname },
  },
});
