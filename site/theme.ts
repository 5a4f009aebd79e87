import { onMounted } from "vue";
import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  setup() {
    // The elements change their content, so they wait until Vue has hydrated it.
    onMounted(() => import("./elements/elements.ts"));
  },
};
export default theme;
