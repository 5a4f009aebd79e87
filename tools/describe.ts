/** Adds descriptions to the properties in a JSON Schema, by property name. */
export function describe(
  schema: unknown,
  descriptions: Readonly<Record<string, string>>,
): unknown {
  if (Array.isArray(schema)) {
    return schema.map((each) => describe(each, descriptions));
  }
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key !== "properties") return [key, describe(value, descriptions)];
      const properties = Object.entries(value as object).map(([name, each]) => [
        name,
        {
          description: descriptions[name],
          ...describe(each, descriptions) as object,
        },
      ]);
      return [key, Object.fromEntries(properties)];
    }),
  );
}
