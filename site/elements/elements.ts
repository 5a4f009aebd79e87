import { LiveElement } from "./live.ts";
import { RunElement } from "./run.ts";
import { VerifyElement } from "./verify.ts";

/** Images that are loaded when they are in view; `loading="lazy"` loads them much earlier. */
class LaterElement extends HTMLElement {
  connectedCallback(): void {
    new IntersectionObserver(([entry], observer) => {
      if (!entry!.isIntersecting) return;
      this.dataset["visible"] = "";
      observer.disconnect();
    }).observe(this);
  }
}

customElements.define("plant-later", LaterElement);
customElements.define("plant-live", LiveElement);
customElements.define("plant-run", RunElement);
customElements.define("plant-verify", VerifyElement);
