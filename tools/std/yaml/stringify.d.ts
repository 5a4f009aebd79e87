/** Writes a value as YAML. */
export declare function stringify(
  data: unknown,
  options?: {
    /** The maximum length of a line; -1 for no maximum. Default: 80. */
    readonly lineWidth?: number;
    /** Whether repeated objects become aliases. Default: true. */
    readonly useAnchors?: boolean;
  },
): string;
