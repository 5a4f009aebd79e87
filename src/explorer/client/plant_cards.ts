import type { Plant } from "../../core/domain/plant.ts";
import { find } from "./find.ts";
import { makeCard } from "./shared/plant_card.ts";

const MAX_PLANTS = 200;

/**
 * Shows a list of plants.
 *
 * @param plants The plants, or undefined if the response is not a list.
 * @param isReceived Whether there is a response.
 */
export function showPlants(
  plants: readonly Plant[] | undefined,
  isReceived: boolean,
): void {
  const cards = plants?.slice(0, MAX_PLANTS).map(makeCard) ?? [];
  const isPart = cards.length < (plants?.length ?? 0);
  find("plant-count").textContent = plants?.length.toLocaleString("en") ?? "";
  find("plants-note").hidden = !isReceived || cards.length > 0 && !isPart;
  find("plants-note").textContent = isPart
    ? `The first ${MAX_PLANTS} plants`
    : plants
    ? "No plants"
    : "This response is not a list of plants.";
  find("list").hidden = cards.length === 0;
  find("list").replaceChildren(...cards);
}
