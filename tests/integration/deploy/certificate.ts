import { join } from "node:path";
import { requireProgram, runProgram } from "../../support/program.ts";

/** The paths of a self-signed certificate and its key. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** Creates a self-signed certificate for a host in a folder. */
export async function createCertificate(
  folder: string,
  host: string,
): Promise<Certificate> {
  requireProgram("openssl", "openssl");
  const [key, certificate] = [join(folder, "key"), join(folder, "crt")];
  await runProgram("openssl", [
    ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
      .split(" "),
    ...["-keyout", key, "-out", certificate, "-subj", `/CN=${host}`],
    ...["-addext", `subjectAltName=DNS:${host}`],
  ]);
  return { key, certificate };
}
