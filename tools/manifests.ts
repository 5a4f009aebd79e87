import config from "../deno.json" with { type: "json" };
import metadata from "../package.json" with { type: "json" };
import type { Option } from "../src/cli/parse_options.ts";
import { SERVE_OPTIONS } from "../src/cli/serve_options.ts";
import types from "../tsconfig.json" with { type: "json" };

// Copies the version in package.json and the modules in deno.json to the other
// manifests: for npm, for JSR, and for a clone on Node.js, Deno, and Bun. Copies the
// variables of the options to the task that serves data on Deno.

/** The library modules: the name to import, and the source file. */
export const MODULES: readonly (readonly [name: string, source: string])[] =
  Object.entries(config.exports)
    .filter(([path]) => path !== "./cli") // a program, which only JSR exports
    .map(([path, source]) => [path.replace(/^\./, metadata.name), source]);

/** Maps the names of the modules to what a manifest has for each. */
function mapModules<T>(
  convert: (source: string, name: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    MODULES.map(([name, source]) => [name, convert(source, name)]),
  );
}

/** Creates the exports of the npm package. */
function createExports(): unknown {
  const modules = MODULES.map(([name, source]) => {
    const path = name.replace(metadata.name, ".");
    return [path, {
      types: source.replace("./", "./dist/types/").replace(/\.ts$/, ".d.ts"),
      default: path === "." ? "./dist/mod.js" : path.replace(".", "./dist") +
        ".js",
    }];
  });
  return {
    ...Object.fromEntries(modules),
    "./package.json": "./package.json",
  };
}

/** Creates the tasks of Deno. */
function createTasks(): unknown {
  const { start, ...tasks } = config.tasks;
  const options: readonly Option[] = Object.values(SERVE_OPTIONS);
  const permission = `--allow-env=${options.flatMap(({ env }) => env ?? [])}`;
  const command = start.command.replace(/--allow-env=\S+/, permission);
  return { start: { ...start, command }, ...tasks };
}

/** Creates the import map for machines that cannot reach JSR. */
function createOfflineMap(): unknown {
  const std = `npm:deno-std@${metadata.devDependencies["deno-std"]}`;
  const { "@std/http": _, ...imports } = config.imports;
  return {
    imports: {
      ...imports,
      ...mapModules((source) => source.replace("./", "../")),
      "@std/assert": `${std}/assert/mod.js`,
      "@std/http/status": `${std}/http/status.js`,
    },
  };
}

/** Returns the contents of the manifests by path. */
export function createManifests(): Readonly<Record<string, unknown>> {
  const { compilerOptions } = types;
  const paths = mapModules((source) => [source]);
  return {
    "package.json": { ...metadata, exports: createExports() },
    "deno.json": {
      ...config,
      version: metadata.version,
      imports: { ...config.imports, ...mapModules((source) => source) },
      tasks: createTasks(),
    },
    // tsc, tsx, esbuild, and Bun use the paths to find modules.
    "tsconfig.json": {
      ...types,
      compilerOptions: { ...compilerOptions, paths },
    },
    "tools/deno.offline.json": createOfflineMap(),
  };
}
