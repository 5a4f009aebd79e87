// deno-fmt-ignore-file: one or two lines for each test case
import type { Case } from "../case.ts";
import { FERN, HORSETAIL, LONG, MONSTERA, ODD, PLANTS, ROSE, SMALL_ROSE } from "../data.ts";
import { ALL, ANY, type Entry, FAILING, FERNS, group, ORIGIN, toRequest } from "./group.ts";

/** A user whose token is `test-` and their name, and what they see. */
interface Row extends Pick<Entry, "list" | "title"> {
  readonly user: string;
}

const toEntry = ({ user, ...row }: Row): Entry => ({
  id: `access.${user}`, send: ["GET /plants", `Authorization: Bearer test-${user}`], ...row,
});

export const ACCESS: readonly Case[] = [
  ...group("core", 1, [
    { id: "list.all", send: ["GET /plants", ALL], list: PLANTS,
      title: "A user with access to all plants sees them in catalog order" },
    ...[
      { user: "none", list: [], title: "A user with access to nothing sees an empty list" },
      { user: "ferns", list: [FERN], title: "A user with a tag sees the plants with this tag" },
      { user: "flowers", list: [ROSE], title: "A plant with another tag is not in the list" },
      { user: "roses", list: [ROSE, SMALL_ROSE],
        title: "A user with a name sees all plants with this name" },
      { user: "mixed", list: [MONSTERA, ROSE, HORSETAIL],
        title: "A user with tags and names sees the plants that match either, in catalog order" },
      { user: "odd", list: [ODD, ODD],
        title: "Names and tags can contain any characters, and equal plants are not merged" },
      { user: "constructor", list: [SMALL_ROSE], title: "A user name can be constructor" },
      { user: "tag-case", list: [], title: "Tags are compared with their letter case" },
      { user: "name-case", list: [], title: "Names are compared with their letter case" },
      { user: "part", list: [], title: "A part of a tag or name gives no access" },
      { user: "longer", list: [], title: "A longer tag or name gives no access" },
      { user: "swapped", list: [], title: "Tags are not compared with names" },
    ].map(toEntry),
  ]),
  ...group("core", 2, [
    { id: "access.characters", send: ["GET /plants", "Authorization: Bearer a.b-c_d~e+f/g=="],
      list: PLANTS, title: "A token can contain all characters of RFC 6750" },
    ...[
      { user: "valid", list: PLANTS, title: "A token is valid before its expiration date" },
      { user: "valid-time", list: PLANTS, title: "A token is valid before its expiration time" },
    ].map(toEntry),
  ]),
  ...group("http", 2, [
    { id: "access.concurrent", send: ["GET /plants", FERNS], list: [FERN],
      rival: toRequest("GET /plants", ALL),
      title: "Requests at the same time do not mix up their users" },
    { id: "access.long", send: ["GET /plants", `Authorization: Bearer ${LONG}`], list: [FERN],
      title: "A token can have 100 characters" },
    toEntry({ user: "renewed", list: [FERN], title: "A user can have several tokens" }),
  ]),
  ...group("http", 4, [
    { id: "failing.list", send: ["GET /plants?limit=1", ORIGIN, ANY, FAILING], status: 503,
      title: "A user whose lists always fail receives 503" },
    { id: "failing.head", send: ["HEAD /plants", FAILING], status: 503,
      title: "A user whose lists always fail receives 503 for HEAD" },
  ]),
];
