/** Whether no entity tag of an If-None-Match field is `etag`, weakly compared. */
export declare function ifNoneMatch(
  value: string | null,
  etag: string | undefined,
): boolean;
