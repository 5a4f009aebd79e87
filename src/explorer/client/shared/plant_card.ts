import type { Plant } from "../../../core/domain/plant.ts";
import { make } from "./dom.ts";

/** Creates a card whose color depends on the tag. */
export function makeCard({ name, tag }: Plant): HTMLElement {
  const card = make(
    "li",
    { className: "plant", dir: "auto" },
    make("div", { className: "name" }, name),
    make("small", { className: tag ? "tag" : "" }, tag || "No tag"),
  );
  let hue = 26;
  for (const letter of tag ?? "") {
    hue = (hue * 155 + letter.charCodeAt(0)) % 360;
  }
  card.style.setProperty("--hue", `${hue}`);
  return card;
}
