/** What the answer asks of a request, whatever platform it came from. */
export interface AnswerRequest {
  /** The method as it came; its case counts. */
  readonly method: string;
  /** The target in origin-form, absolute-form or asterisk-form (RFC 9112 section 3.2). */
  readonly target: string;
  /** The scheme that the connection was made for. */
  readonly scheme: "http" | "https";
  /**
   * The value of a header field by its lower-case name. Several fields of one
   * name are joined with a comma and a space, as the Fetch standard has it.
   */
  header(name: string): string | undefined;
}
