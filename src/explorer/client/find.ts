/** Returns the element in explorer.html with this ID. */
export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}
