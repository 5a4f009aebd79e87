import * as v from "valibot";
import { type Access, AccessSchema } from "../domain/access.ts";
import { toProblems } from "../domain/schema.ts";
import { judgeName } from "../domain/user.ts";
import { type Command, defineCommand } from "./command.ts";
import { DIRECTORY_OPTIONS, withDirectory } from "./directory.ts";
import { isGiven, UsageError } from "./options.ts";

/** `user set USER`: adds a user, or changes what a user may see. */
export const userSet: Command = defineCommand({
  operands: ["USER"],
  options: {
    ...DIRECTORY_OPTIONS,
    all: { help: "the user may see every plant", read: isGiven },
    tag: {
      value: "TAG",
      help: "the user may see plants with this tag; may be repeated",
      read: (values) => values,
    },
    none: { help: "the user may see no plants", read: isGiven },
    name: {
      value: "NAME",
      help: "the user may see plants of this name; may be repeated",
      read: (values) => values,
    },
  },
  async run({ settings, operands }) {
    const [user] = operands as [string];
    const access = toAccess(settings);
    const problem = judgeName(user);
    if (problem) throw new UsageError(problem);
    await withDirectory(
      settings,
      ({ updateUser }) =>
        updateUser(user, (found) => ({
          plants: access,
          tokens: found?.tokens ?? [],
        })),
    );
    return 0;
  },
});

/** `user remove USER`: removes a user, and so the user's tokens. */
export const userRemove: Command = defineCommand({
  operands: ["USER"],
  options: DIRECTORY_OPTIONS,
  async run({ settings, operands }) {
    const [user] = operands as [string];
    await withDirectory(
      settings,
      ({ name, updateUser }) =>
        updateUser(user, (found) => {
          if (found) return undefined;
          throw new Error(`no user ${JSON.stringify(user)} in ${name}`);
        }),
    );
    return 0;
  },
});

function toAccess(
  { all, none, tag, name }: {
    readonly all: boolean;
    readonly none: boolean;
    readonly tag: readonly string[];
    readonly name: readonly string[];
  },
): Access {
  const isSome = tag.length > 0 || name.length > 0;
  if ([all, none, isSome].filter(Boolean).length !== 1) {
    throw new UsageError("specify --all, --none, or any of --tag and --name");
  }
  const access: Access = all ? "all" : {
    ...tag.length > 0 && { tags: [...new Set(tag)] },
    ...name.length > 0 && { names: [...new Set(name)] },
  };
  const { issues } = v.safeParse(AccessSchema, access);
  if (issues) throw new UsageError(toProblems(issues)[0]!.message);
  return access;
}
