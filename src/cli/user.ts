import * as v from "valibot";
import type { Access } from "../domain/access.ts";
import { AccessSchema } from "../stores/catalog/access_schema.ts";
import {
  DELAY_EXPECTED,
  DelaySchema,
  FAIL_EXPECTED,
  FailSchema,
} from "../stores/catalog/behavior_schema.ts";
import { quote } from "../domain/quote.ts";
import { toProblems } from "../stores/catalog/schema.ts";
import { findNameProblem } from "../stores/catalog/user.ts";
import { type Command, defineCommand, print } from "./command.ts";
import { type Settings, UsageError } from "./options.ts";
import { findUsers, USERS_OPTIONS } from "./user_storage.ts";

const ACCESS_OPTIONS = {
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
} as const;

/** `user set USER`: adds a user, or changes the access and behavior of the user. */
export const userSet: Command = defineCommand({
  help: "Add a user, or change the user's access and behavior",
  operands: ["USER"],
  options: {
    ...USERS_OPTIONS,
    ...ACCESS_OPTIONS,
    delay: {
      value: "MS|MIN-MAX",
      help: "Delay the user's lists by MS, such as 500 or 200-800",
      parse: parseDelay,
    },
    fail: {
      value: "N/M|RATE%",
      help: "Fail the first N of every M lists, or RATE% at random, with 503",
      parse: parseFail,
    },
  },
  async run(line, user: string) {
    const plants = toAccess(line.settings);
    const { delay, fail } = line.settings;
    const given = {
      ...delay !== undefined && { delay },
      ...fail !== undefined && { fail },
    };
    const behavior = Object.keys(given).length > 0 ? given : undefined;
    const problem = findNameProblem(user);
    if (problem) throw new UsageError(problem);
    if (behavior && line.settings["database-url"] !== undefined) {
      throw new UsageError(
        "--delay and --fail require a tokens file; a database cannot store behavior",
      );
    }
    const { place, updateUser } = findUsers(line);
    let done = "";
    await updateUser(user, (found) => {
      const { tokens = [], behavior: old } = found ?? {};
      const isSame = JSON.stringify(old) === JSON.stringify(behavior);
      const changed = isSame ? "access" : "access and behavior";
      done = found
        ? `changed ${changed} for user ${quote(user)} in ${place}`
        : `added user ${quote(user)} to ${place}`;
      return { plants, ...behavior && { behavior }, tokens };
    });
    print(done);
  },
});

/** `user remove USER`: removes a user and all of the user's tokens. */
export const userRemove: Command = defineCommand({
  help: "Remove a user and all of the user's tokens",
  operands: ["USER"],
  options: USERS_OPTIONS,
  async run(line, user: string) {
    const { place, updateUser } = findUsers(line);
    await updateUser(user, (found) => {
      if (!found) throw new Error(`no user ${quote(user)} in ${place}`);
      return undefined;
    });
    print(`removed user ${quote(user)} from ${place}`);
  },
});

function toAccess(
  { all, none, tag, name }: Settings<typeof ACCESS_OPTIONS>,
): Access {
  const isSome = tag.length > 0 || name.length > 0;
  if ([all, none, isSome].filter(Boolean).length !== 1) {
    throw new UsageError(
      "specify --all, --none, or at least one --tag or --name",
    );
  }
  const access: Access = all ? "all" : {
    ...tag.length > 0 && { tags: [...new Set(tag)] },
    ...name.length > 0 && { names: [...new Set(name)] },
  };
  const { issues } = v.safeParse(AccessSchema, access);
  if (issues) throw new UsageError(toProblems(issues)[0]!.message);
  return access;
}

function parseDelay(text: string, name: string): number | string {
  const delay = /^[0-9]+$/.test(text) ? Number(text) : text;
  if (v.is(DelaySchema, delay)) return delay;
  throw new RangeError(`${name} ${DELAY_EXPECTED}, got ${quote(text)}`);
}

function parseFail(text: string, name: string): string {
  if (v.is(FailSchema, text)) return text;
  throw new RangeError(`${name} ${FAIL_EXPECTED}, got ${quote(text)}`);
}
