/** Reads a YAML document. */
export declare function parse(content: string): unknown;
