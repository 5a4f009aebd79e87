import * as v from "valibot";
import { type Access, AccessSchema } from "../stores/catalog/access.ts";
import { quote } from "../domain/quote.ts";
import { toProblems } from "../stores/catalog/schema.ts";
import { findNameProblem } from "../stores/catalog/user.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { UsageError } from "./options.ts";
import { USERS_OPTIONS, withUsers } from "./user_storage.ts";

/** `user set USER`: adds a user, or changes which plants the user can see. */
export const userSet: Command = defineCommand({
  operands: ["USER"],
  options: {
    ...USERS_OPTIONS,
    all: { help: "Give access to all plants" },
    none: { help: "Give access to no plants" },
    tag: {
      value: "TAG",
      help: "Give access to plants with this tag; can be repeated",
      multiple: true,
    },
    name: {
      value: "NAME",
      help: "Give access to plants with this name; can be repeated",
      multiple: true,
    },
  },
  async run({ settings, operands }) {
    const [user] = operands as [string];
    const plants = toAccess(settings);
    const problem = findNameProblem(user);
    if (problem) throw new UsageError(problem);
    await withUsers(settings, async ({ place, updateUser }) => {
      let isNew = false;
      await updateUser(user, (found) => {
        isNew = !found;
        return { plants, tokens: found?.tokens ?? [] };
      });
      const quoted = quote(user);
      print(
        isNew
          ? `added user ${quoted} to ${place}`
          : `changed access for user ${quoted} in ${place}`,
      );
    });
    return 0;
  },
});

/** `user remove USER`: removes a user and all of the user's tokens. */
export const userRemove: Command = defineCommand({
  operands: ["USER"],
  options: USERS_OPTIONS,
  async run({ settings, operands }) {
    const [user] = operands as [string];
    const quoted = quote(user);
    await withUsers(settings, async ({ place, updateUser }) => {
      await updateUser(user, (found) => {
        if (!found) throw new Error(`no user ${quoted} in ${place}`);
        return undefined;
      });
      print(`removed user ${quoted} from ${place}`);
    });
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
