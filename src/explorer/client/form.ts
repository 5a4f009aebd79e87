import {
  type ApiRequest,
  type Field,
  MISSPELLED,
  PLANTS_PATH,
  SCHEME,
} from "./shared/api.ts";
import { find } from "./find.ts";

export type Values = Readonly<Record<Field, string>>;

const tokenButtons = Array.from(
  document.querySelectorAll<HTMLButtonElement>("button[name=token]"),
);
const demoButtons = tokenButtons.filter((button) => button.closest("#demo"));

const DEFAULTS: Values = {
  method: "GET",
  path: PLANTS_PATH,
  token: demoButtons[0]?.value ?? "",
  limit: "5",
};

/** The values that fields return to after the user selects an error. */
let saved = DEFAULTS;

export function readValues(): Values {
  const data = new FormData(find<HTMLFormElement>("form"));
  return Object.fromEntries(data) as Values;
}

export function saveValues(): void {
  saved = readValues();
}

/** Sets these fields to these values, and the other fields to the saved values. */
export function fillFields(values: Partial<Values>): void {
  const all = { ...saved, ...values };
  for (const field of Object.keys(DEFAULTS) as Field[]) {
    find<HTMLInputElement>(field).value = all[field];
  }
  // A link can contain any method.
  find<HTMLSelectElement>("method").value ||= DEFAULTS.method;
}

/** Returns a value to try: corrected, or from a good request, or the default. */
export function suggest(field: Field, good?: Values): string | undefined {
  const { [field]: current } = readValues();
  const corrected = current.replace(MISSPELLED, "$1limit=").replace(SCHEME, "");
  const values = [corrected, good?.[field], DEFAULTS[field]];
  return values.find((value) => value && value !== current);
}

function splitPath(path: string): [string, URLSearchParams] {
  const [pathname, ...query] = path.split("?");
  return [pathname!, new URLSearchParams(query.join("?"))];
}

/** Moves the limit from the path field to the limit field, unless there are several. */
export function moveLimit(): void {
  const [pathname, query] = splitPath(readValues().path);
  const [limit, ...others] = query.getAll("limit");
  if (limit === undefined || others.length > 0) return;
  query.delete("limit");
  const path = pathname + (query.size ? `?${query}` : "");
  fillFields({ ...readValues(), path, limit });
  saveValues();
}

export function readRequest(): ApiRequest {
  const { method, path, token, limit } = readValues();
  const [pathname, query] = splitPath(path);
  if (limit !== "" && !query.has("limit")) query.set("limit", limit);
  const url = new URL(location.href);
  url.pathname = pathname;
  url.search = `${query}`;
  url.hash = "";
  return { method, url, token: token.trim() };
}

/** Fills in the form from the address. */
export function fillFromLink(): void {
  const link = Object.fromEntries(new URLSearchParams(location.search));
  const { token = DEFAULTS.token } = link;
  const isPublic = !isPrivate(token);
  fillFields({
    ...DEFAULTS,
    ...link,
    token: isPublic ? token : DEFAULTS.token,
  });
  saveValues();
}

/** Returns the query of the address for form values, without a private token. */
export function createLink({ token, ...values }: Values): string {
  const query = new URLSearchParams(values);
  if (!isPrivate(token)) query.set("token", token);
  return `?${query}`;
}

/** Whether a request can be sent before the user presses Send. */
export function isDemo({ method, url, token }: ApiRequest): boolean {
  return method === "GET" && url.pathname === PLANTS_PATH &&
    demoButtons.length > 0 && !isPrivate(token);
}

/** Whether no button in the explorer has this token. */
export function isPrivate(token: string): boolean {
  return !tokenButtons.some(({ value }) => value === token);
}

/** Shows which demo token is in use, and returns whether to mask the token. */
export function updateToken(token: string): boolean {
  for (const button of demoButtons) {
    const wasUsed = button.ariaPressed === "true";
    const isUsed = button.value === token;
    button.ariaPressed = `${isUsed}`;
    const row = button.parentElement!;
    // On phones, the row scrolls.
    if (isUsed && !wasUsed) {
      row.scrollLeft = button.offsetLeft - row.offsetLeft - 32;
    }
  }
  const isSecret = isPrivate(token);
  const isMasked = isSecret && !find<HTMLInputElement>("show-token").checked;
  find<HTMLInputElement>("token").type = isMasked ? "password" : "text";
  find("reveal").hidden = !isSecret;
  find("masked").hidden = !isMasked;
  return isMasked;
}
