import config from "../deno.json" with { type: "json" };
import metadata from "../package.json" with { type: "json" };
import { SERVE_OPTIONS } from "../src/cli/serve_options.ts";
import types from "../tsconfig.json" with { type: "json" };
import { REPOSITORY } from "./repository.ts";

// Copies the version in package.json and the modules in deno.json to the other
// manifests: for npm, for JSR, and for a clone on Node.js, Deno, and Bun.

type Names = Readonly<Record<string, string>>;

/** The modules that run as programs. Only the JSR package exports them. */
const PROGRAMS: ReadonlySet<string> = new Set(["./cli"]);

/** The library modules: the name to import, and the source file. */
export const MODULES: readonly (readonly [name: string, source: string])[] =
  Object.entries(config.exports)
    .filter(([path]) => !PROGRAMS.has(path))
    .map(([path, source]) => [path.replace(/^\./, metadata.name), source]);

/** The files in the npm package: the name in dist, and the source file. */
export const ENTRIES: ReadonlyMap<string, string> = new Map(
  Object.entries(config.exports)
    .map(([path, source]) => [path === "." ? "mod" : path.slice(2), source]),
);

/** Returns the path of the declarations for a source file in the npm package. */
export function typesOf(source: string): string {
  return `./dist/types/${source.slice(2).replace(/\.ts$/, ".d.ts")}`;
}

/** Creates package.json, with the exports of the npm package and links to the repository. */
export function createPackage(): unknown {
  const modules = [...ENTRIES]
    .filter(([name]) => !PROGRAMS.has(`./${name}`))
    .map(([name, source]) => [
      name === "mod" ? "." : `./${name}`,
      { types: typesOf(source), default: `./dist/${name}.js` },
    ]);
  return {
    ...metadata,
    ...REPOSITORY !== undefined && {
      homepage: `${REPOSITORY}#readme`,
      bugs: `${REPOSITORY}/issues`,
    },
    exports: {
      ...Object.fromEntries(modules),
      "./package.json": "./package.json",
    },
  };
}

/** Creates deno.json, with the version, the modules by npm name, and the variables of `serve`. */
export function createDenoConfig(): unknown {
  const tasks = Object.entries(config.tasks).map(([name, task]) => {
    const command = task.command.replace(ALLOWED_ENV, `--allow-env=${ENV}`);
    return [name, { ...task, command }];
  });
  return {
    ...config,
    version: metadata.version,
    imports: withModules(config.imports, (source) => source),
    tasks: Object.fromEntries(tasks),
  };
}

/** The variables that `serve` reads. */
const ENV = [
  ...Object.values(SERVE_OPTIONS).flatMap((option) =>
    "env" in option ? [option.env] : []
  ),
  "NO_COLOR",
].join(",");

/** The variables in a task, except those after the last one that `serve` reads. */
const ALLOWED_ENV = /--allow-env=\S*NO_COLOR/;

/** Creates the import map for machines that cannot reach JSR. */
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
      "@std/http/status": `${std}/http/status.js`,
      "@std/yaml/parse": `${std}/yaml/parse.js`,
      "@std/yaml/stringify": `${std}/yaml/stringify.js`,
    }, (source) => source.replace("./", "../")),
  };
}

/** Creates tsconfig.json, with the paths that tsc, tsx, esbuild, and Bun use to find modules. */
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

/** Adds the modules to an import map and sorts it by name. */
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
