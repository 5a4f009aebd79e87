import { join } from "node:path";
import { need, run } from "./programs.ts";

/** The files of a certificate that signs itself. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** Creates a certificate for a host, in a folder. */
export async function createCertificate(
  folder: string,
  host: string,
): Promise<Certificate> {
  need("openssl", "openssl");
  const [key, certificate] = [join(folder, "key"), join(folder, "crt")];
  await run("openssl", [
    ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
      .split(" "),
    ...["-keyout", key, "-out", certificate, "-subj", `/CN=${host}`],
    ...["-addext", `subjectAltName=DNS:${host}`],
  ]);
  return { key, certificate };
}
