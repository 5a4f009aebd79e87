import { readFileSync } from "node:fs";
import process from "node:process";

// One answer of the plant store, as it was seen on the wire.

const { status, headers, bodyFile } = JSON.parse(
  readFileSync(process.env.REPLY, "utf8"),
);

export { headers, status };

/** The body's bytes. */
export const bytes = readFileSync(bodyFile);

/** The body as text, which the bare servers write fastest while it is small. */
export const text = bytes.toString("utf8");

/** The port to listen on. */
export const port = Number(process.argv[2]);
