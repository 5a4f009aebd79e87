import config from "../deno.json" with { type: "json" };
import metadata from "../package.json" with { type: "json" };
import types from "../tsconfig.json" with { type: "json" };

// One version, that of package.json, and one list of modules, the exports of
// deno.json, for all who ask for them: npm, JSR, and the checkout on Node, Deno
// and Bun, where `plant-store` is the source.

type Names = Readonly<Record<string, string>>;

/** The program among the modules: a `bin` on npm, a module to run on JSR. */
const PROGRAM = "./cli";

/** The modules of the library: the name that an import has, and the source. */
export const MODULES: readonly (readonly [name: string, source: string])[] =
  Object.entries(config.exports)
    .filter(([path]) => path !== PROGRAM)
    .map(([path, source]) => [path.replace(/^\./, metadata.name), source]);

/** What the built package is made of: the name of each file in dist, and the source. */
export const ENTRIES: ReadonlyMap<string, string> = new Map(
  Object.entries(config.exports)
    .map(([path, source]) => [path === "." ? "mod" : path.slice(2), source]),
);

/** Where the types of a source are in the built package. */
export function typesOf(source: string): string {
  return `./dist/types/${source.slice(2).replace(/\.ts$/, ".d.ts")}`;
}

/** package.json: what npm's users import. */
export function createPackage(): unknown {
  const modules = Array.from(ENTRIES, ([name, source]) => [
    name === "mod" ? "." : `./${name}`,
    { types: typesOf(source), default: `./dist/${name}.js` },
  ]).filter(([path]) => path !== PROGRAM);
  return {
    ...metadata,
    exports: {
      ...Object.fromEntries(modules),
      "./package.json": "./package.json",
    },
  };
}

/** deno.json: the version, and the modules by their names on npm. */
export function createDenoConfig(): unknown {
  return {
    ...config,
    version: metadata.version,
    imports: withModules(config.imports, (source) => source),
  };
}

/** The import map that stands in where JSR can't be reached. */
export function createOfflineMap(): unknown {
  const std = `npm:deno-std@${metadata.devDependencies["deno-std"]}`;
  const others = Object.fromEntries(
    Object.entries(config.imports)
      .filter(([name]) => !name.startsWith("@std/")),
  );
  return {
    imports: withModules({
      ...others,
      "@std/assert": `${std}/assert/mod.js`,
      "@std/http/etag": `${std}/http/etag.js`,
      "@std/http/status": `${std}/http/status.js`,
      "@std/text/levenshtein-distance": `${std}/text/levenshtein_distance.js`,
      "@std/yaml/parse": `${std}/yaml/parse.js`,
      "@std/yaml/stringify": `${std}/yaml/stringify.js`,
    }, (source) => source.replace("./", "../")),
  };
}

/** tsconfig.json: tsc, tsx, esbuild and Bun find the modules by its paths. */
export function createTypesConfig(): unknown {
  const { compilerOptions } = types;
  return {
    ...types,
    compilerOptions: {
      ...compilerOptions,
      paths: withModules({}, (source) => [source]),
    },
  };
}

/** Names that lead somewhere, those of the modules among them, in their order. */
function withModules<T>(
  names: Names,
  lead: (source: string) => T,
): Readonly<Record<string, string | T>> {
  const others = Object.entries(names).filter(([name]) =>
    name.split("/")[0] !== metadata.name
  );
  const modules = MODULES.map(([name, source]) =>
    [name, lead(source)] as const
  );
  return Object.fromEntries(
    [...others, ...modules].sort(([a], [b]) => a < b ? -1 : 1),
  );
}
