import process from "node:process";

/**
 * Whether to run what only a release needs, and what a change of this repository alone
 * hardly breaks: REHEARSE=1, before a release and each week.
 */
export const IS_REHEARSAL: boolean = process.env["REHEARSE"] !== undefined;
