/** The code under test: lists names with the global `fetch`. */
export async function listNames(token: string): Promise<string[]> {
  const response = await fetch("https://plants.example/plants", {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${body.message}`);
  return body.map(({ name }: { readonly name: string }) => name);
}
