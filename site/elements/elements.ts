import { LiveElement } from "./live.ts";
import { RunElement } from "./run.ts";

customElements.define("plant-live", LiveElement);
customElements.define("plant-run", RunElement);
