/** Returns whether no entity tag in an If-None-Match header matches `etag` in a weak comparison. */
export declare function ifNoneMatch(
  value: string | null,
  etag: string | undefined,
): boolean;
