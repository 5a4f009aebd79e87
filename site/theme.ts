import { h, nextTick, onMounted } from "vue";
import { type Theme, withBase } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

const slots = {
  /** The page for unknown addresses; that of VitePress has no main landmark. */
  "not-found": () =>
    h("main", { class: "not-found vp-doc" }, [
      h("h1", "Page not found"),
      h("p", "The address is wrong, the page has moved, or you are offline."),
      h("a", { href: withBase("/") }, "Home"),
    ]),
  /** Says to readers who come from a search what this is. */
  "doc-before": () =>
    h("aside", { class: "about vp-doc", "aria-label": "About" }, [
      "A sample HTTP API. Try it in the ",
      h("a", { href: withBase("/api/"), target: "_self" }, "API explorer"),
      ", or build it in the ",
      h("a", { href: withBase("/lab") }, "lab"),
      ".",
    ]),
};

/** Focuses the Search button again. VitePress loses the focus when Escape closes the search. */
async function returnFocus({ key, target }: KeyboardEvent): Promise<void> {
  const isSearch = (target as Element).closest(".VPLocalSearchBox");
  if (key !== "Escape" || !isSearch) return;
  await nextTick();
  document.querySelector<HTMLElement>(".DocSearch-Button")?.focus();
}

/** Reloads the page if its search cannot be loaded, such as after a deployment. */
function reloadForSearch(event: Event & { readonly payload?: Error }): void {
  if (!event.payload?.message.includes("SearchBox")) return;
  event.preventDefault(); // otherwise, the error is thrown
  location.reload();
}

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, slots),
  setup() {
    onMounted(() => {
      addEventListener("keydown", returnFocus);
      addEventListener("vite:preloadError", reloadForSearch);
      // The elements change their content, so they wait until Vue has hydrated it.
      import("./elements/live.ts");
    });
  },
};
export default theme;
