import type { Access } from "../domain/access.ts";
import type { Plant } from "../domain/plant.ts";

/** A user in the test data. */
export interface TestUser {
  /** The name of the user. */
  readonly user: string;
  /** The user's only token. */
  readonly token: string;
  /** The plants that the user can see. */
  readonly plants: Access;
  /** The date from which the token is invalid, at midnight UTC. Default: never. */
  readonly expires?: string;
}

const TILLANDSIA = 'Tillandsia "ionantha" \u{1F33F}\n';

/** The plants that a server under test lists, in catalog order. */
export const PLANTS: readonly Plant[] = [
  { name: "Monstera deliciosa", tag: "vine" },
  { name: "Nephrolepis exaltata", tag: "fern" },
  { name: "Rosa canina", tag: "flower" },
  { name: "Equisetum hyemale" },
  { name: "Rosa canina", tag: "bonsai" },
  { name: TILLANDSIA, tag: "蘭" },
  { name: TILLANDSIA, tag: "蘭" }, // a separate plant
];

/** The users of a server under test. */
export const USERS: readonly TestUser[] = [
  { user: "all", token: "all", plants: "all" },
  { user: "none", token: "none", plants: {} },
  { user: "ferns", token: "ferns", plants: { tags: ["fern"] } },
  { user: "flowers", token: "flowers", plants: { tags: ["flower"] } },
  { user: "roses", token: "roses", plants: { names: ["Rosa canina"] } },
  {
    user: "mixed",
    token: "mixed",
    plants: { names: ["Equisetum hyemale"], tags: ["flower", "vine", "moss"] },
  },
  { user: "odd", token: "odd", plants: { names: [TILLANDSIA], tags: ["蘭"] } },
  { user: "constructor", token: "constructor", plants: { tags: ["bonsai"] } },
  { user: "tag-case", token: "tag-case", plants: { tags: ["FERN", "Vine"] } },
  {
    user: "name-case",
    token: "name-case",
    plants: { names: ["rosa canina", "Rosa Canina"] },
  },
  { user: "characters", token: "a.b-c_d~e+f/g==", plants: "all" },
  { user: "valid", token: "valid", plants: "all", expires: "2999-01-01" },
  { user: "late", token: "expired", plants: "all", expires: "2020-01-01" },
];
