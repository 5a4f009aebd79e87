/** Lists the plants of a user, by default one who can see all plants. */
export function list(
  url: string,
  token = "demo-curator",
  query = "",
): Promise<Response> {
  return fetch(new URL(`plants${query}`, url), {
    headers: { authorization: `Bearer ${token}` },
  });
}
