import type { Plant } from "./api.ts";
import { find, make, plural } from "./dom.ts";

/** The maximum number of plants to show. */
const MAX_PLANTS = 200;

const filter = find<HTMLInputElement>("filter");
let plants: readonly Plant[] = [];

/** Shows a list of plants and clears the filter. */
export function showPlants(list: readonly Plant[]): void {
  plants = list;
  find("plant-count").textContent = list.length.toLocaleString("en");
  find("plants").hidden = list.length === 0;
  find("plants-note").hidden = list.length > 0;
  filter.value = "";
  showMatches();
}

function showMatches(): void {
  const text = filter.value.trim().toLowerCase();
  const matches = plants.filter(({ name, tag }) =>
    `${name}\n${tag ?? ""}`.toLowerCase().includes(text)
  );
  const total = plural(plants.length, "plant");
  const part = text && `${matches.length.toLocaleString("en")} of `;
  find("count").textContent = matches.length ? part + total : "No matches";
  find("list").replaceChildren(...matches.slice(0, MAX_PLANTS).map(makeCard));
  find("more").hidden = matches.length <= MAX_PLANTS;
}

/** Creates a card whose color depends on the tag. */
function makeCard({ name, tag }: Plant): HTMLElement {
  const card = make(
    "li",
    { dir: "auto" },
    make("span", { className: "name" }, name),
    make("span", { className: tag ? "tag" : "note" }, tag || "No tag"),
  );
  let hue = 26;
  for (const letter of tag ?? "") {
    hue = (hue * 155 + letter.charCodeAt(0)) % 360;
  }
  if (tag) card.style.setProperty("--hue", `${hue}`);
  return card;
}

filter.addEventListener("input", showMatches);
