import { join } from "node:path";
import { requireProgram, runProgram } from "../../../tools/start_program.ts";

/** Creates a self-signed certificate for a host in a folder, and returns the paths. */
export async function createCertificate(
  folder: string,
  host: string,
): Promise<{ readonly key: string; readonly certificate: string }> {
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
