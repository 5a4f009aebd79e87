import { LiveElement } from "./live.ts";
import { RunElement } from "./run.ts";
import { VerifyElement } from "./verify.ts";

customElements.define("plant-live", LiveElement);
customElements.define("plant-run", RunElement);
customElements.define("plant-verify", VerifyElement);
