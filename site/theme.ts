import { h, onMounted } from "vue";
import { type Theme, withBase } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

/** The page for unknown addresses; that of VitePress has no main landmark. */
const createNotFound = () =>
  h("main", { class: "not-found vp-doc" }, [
    h("h1", "Page not found"),
    h("p", "The address is misspelled, or the page has moved."),
    h("a", { href: withBase("/") }, "Home"),
  ]);

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "not-found": createNotFound }),
  setup() {
    // The elements change their content, so they wait until Vue has hydrated it.
    onMounted(() => import("./elements/elements.ts"));
  },
};
export default theme;
