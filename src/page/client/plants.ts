import { find, make, plural } from "./dom.ts";
import type { Plant } from "./response.ts";

/** The number of plants to show at first, and to add at a time. */
const STEP = 24;

const filter = find<HTMLInputElement>("filter");
let plants: readonly Plant[] = [];
let limit = STEP;

/** Shows a list of plants and clears the filter. */
export function showPlants(list: readonly Plant[]): void {
  plants = list;
  find("plants").hidden = find("to-plants").hidden = list.length === 0;
  const counts = new Map<string, number>();
  for (const { tag } of list) {
    if (tag) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const common = [...counts]
    .filter(([, count]) => count > 1)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 16);
  find("tags").replaceChildren(...common.map(([tag, count]) => {
    const text = `${tag} ${count}`;
    const button = make("button", { className: "tag", value: tag }, text);
    button.dir = "auto";
    setColor(button, tag);
    return button;
  }));
  setFilter("");
}

/** Sets a color that depends on the tag. */
function setColor(element: HTMLElement, tag: string): void {
  let hue = 26;
  for (const letter of tag) hue = (hue * 155 + letter.charCodeAt(0)) % 360;
  element.style.setProperty("--hue", `${hue}`);
}

function setFilter(text: string): void {
  filter.value = text;
  limit = STEP;
  showMatches();
}

/** Returns the plants whose tag equals the filter, or else those that contain its text. */
function findMatches(): readonly Plant[] {
  const text = filter.value.trim().toLowerCase();
  const tagged = plants.filter(({ tag }) => tag && tag === filter.value);
  return tagged.length > 0
    ? tagged
    : plants.filter(({ name, tag }) =>
      `${name}\n${tag ?? ""}`.toLowerCase().includes(text)
    );
}

function showMatches(): void {
  const matches = findMatches();
  const total = plural(plants.length, "plant");
  const part = filter.value && `${matches.length.toLocaleString("en")} of `;
  find("count").textContent = matches.length ? part + total : "No matches";
  for (const button of find("tags").querySelectorAll("button")) {
    button.ariaPressed = `${button.value === filter.value}`;
  }
  find("list").replaceChildren(...matches.slice(0, limit).map(makeCard));
  const left = matches.length - limit;
  find("more").hidden = left <= 0;
  find("more").textContent = `Show more (${left.toLocaleString("en")} left)`;
}

function makeCard({ name, tag }: Plant): HTMLElement {
  const card = make(
    "li",
    { dir: "auto", tabIndex: -1 },
    make("span", { className: "name" }, name),
    make("span", { className: tag ? "tag" : "note" }, tag || "No tag"),
  );
  if (tag) setColor(card, tag);
  return card;
}

filter.addEventListener("input", () => setFilter(filter.value));
find("tags").addEventListener("click", ({ target }) => {
  const tag = (target as HTMLElement).closest("button")?.value;
  if (tag) setFilter(filter.value === tag ? "" : tag);
});
find("more").addEventListener("click", () => {
  const first = limit;
  limit += STEP;
  showMatches();
  (find("list").children[first] as HTMLElement).focus();
});
