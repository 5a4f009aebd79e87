/** Status codes by their names in the IANA registry. */
export declare const STATUS_CODE: {
  readonly OK: 200;
  readonly NoContent: 204;
  readonly BadRequest: 400;
  readonly Unauthorized: 401;
  readonly NotFound: 404;
  readonly MethodNotAllowed: 405;
  readonly RequestTimeout: 408;
  readonly URITooLong: 414;
  readonly ExpectationFailed: 417;
  readonly RequestHeaderFieldsTooLarge: 431;
  readonly InternalServerError: 500;
  readonly ServiceUnavailable: 503;
};
/** A status code in the IANA registry. */
export type StatusCode = typeof STATUS_CODE[keyof typeof STATUS_CODE];
/** Reason phrases by status code. */
export declare const STATUS_TEXT: { readonly [K in StatusCode]: string };
