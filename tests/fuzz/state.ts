import { createHash } from "node:crypto";
import type { Access, Plant } from "../../mod.ts";

/** Content as it has to stand on the wire, a character a byte. */
export interface Content {
  readonly body: string;
  /** Its entity tag, once it has been seen; null where it has none. */
  tag?: string | null;
}

/** Whom a token stands for, and until when. */
export interface Holder {
  readonly user: string;
  /** In milliseconds since 1970; never unless given. */
  readonly expires?: number;
}

/** What both files hold. */
export interface Shop {
  readonly plants: readonly Plant[];
  readonly users: ReadonlyMap<string, Access>;
  readonly holders: ReadonlyMap<string, Holder>;
}

/** What the server has to answer from, and when. */
export interface State extends Shop {
  /** From when on an answer may be made of it, in milliseconds since 1970. */
  readonly since: number;
  /** Until when an answer may still be made of it. */
  until: number;
  /** The first `limit` plants that a user may see. */
  list(user: string, limit: bigint): Content;
}

/** How many lists are kept. */
const MAX_KEPT = 500;

/** A state that holds from a moment on; `tags` has those of content that other states had too. */
export function createState(
  shop: Shop,
  since: number,
  tags: TagBook = new TagBook(),
): State {
  const kept = new Map<string, Content>();

  function list(user: string, limit: bigint): Content {
    const { plants, users } = shop;
    const count = limit < plants.length ? Number(limit) : plants.length;
    const key = `${count} ${user}`;
    let content = kept.get(key);
    if (!content) {
      const seen = plants.filter((plant) => isSeen(plant, users.get(user)!));
      const items = seen.slice(0, count).map(({ name, tag }) =>
        tag === undefined
          ? `{"name":${JSON.stringify(name)}}`
          : `{"name":${JSON.stringify(name)},"tag":${JSON.stringify(tag)}}`
      );
      const body = Buffer.from(`[${items.join(",")}]`).toString("latin1");
      if (kept.size === MAX_KEPT) kept.clear();
      kept.set(key, content = { body });
    }
    const tag = content.tag ?? tags.find(content.body);
    if (tag !== undefined) content.tag = tag;
    return content;
  }
  return { ...shop, since, until: Infinity, list };
}

function isSeen({ name, tag }: Plant, access: Access): boolean {
  if (access === "all") return true;
  const { names = [], tags = [] } = access;
  return names.includes(name) || tag !== undefined && tags.includes(tag);
}

/** The entity tags that were seen: equal content has to have equal tags, and other content other ones. */
export class TagBook {
  readonly #tags = new Map<string, string>();
  readonly #bodies = new Map<string, string>();

  /** The tag that this content has been seen with. */
  find(body: string): string | undefined {
    return this.#tags.get(hash(body));
  }

  /** Takes a tag down; tells what is wrong with it. */
  enter(body: string, tag: string): string | undefined {
    const digest = hash(body);
    const known = this.#tags.get(digest);
    if (known !== undefined && known !== tag) {
      return `the tag ${tag}, where the same content had ${known} before`;
    }
    const other = this.#bodies.get(tag);
    if (other !== undefined && other !== digest) {
      return `the tag ${tag}, which other content had before`;
    }
    if (this.#tags.size > 50_000) {
      this.#tags.clear();
      this.#bodies.clear();
    }
    this.#tags.set(digest, tag);
    this.#bodies.set(tag, digest);
    return undefined;
  }
}

function hash(body: string): string {
  return createHash("sha256").update(body, "latin1").digest("hex");
}
