/** The serving certificate and key: a matching pair, or one line that says what is wrong. */
import { createPrivateKey } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readKeyPair } from "../../../src/cluster/webhook/certificate.ts";
import { issue } from "../../support/webhook/issue.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "anp-certificates-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("two files", () => {
  const [pair, other] = [issue(["a.svc"]), issue(["a.svc"])];
  const encrypted = createPrivateKey(pair.key).export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase: "x",
  });

  test.each<[what: string, cert: string | undefined, key: string | undefined, words: string]>([
    ["absent", undefined, pair.key, "CERT cannot be read: ENOENT"],
    ["no certificate", "hello", pair.key, "CERT holds no certificate in PEM"],
    ["swapped files", pair.key, pair.cert, "CERT holds no certificate in PEM"],
    ["no key", pair.cert, `${pair.key.slice(0, 60)}…`, "KEY holds no private key in PEM"],
    ["an encrypted key", pair.cert, encrypted, "KEY holds an encrypted key, which anp cannot decrypt"],
    ["another's key", pair.cert, other.key, "the key in KEY does not belong to the certificate in CERT"],
  ])("%s: one line, without their content", async (_, cert, key, words) => {
    const [certFile, keyFile] = [join(folder, "a.crt"), join(folder, "a.key")];
    if (cert !== undefined) writeFileSync(certFile, cert);
    if (key !== undefined) writeFileSync(keyFile, key);
    await expect(readKeyPair(certFile, keyFile)).rejects.toThrow(
      words.replaceAll("CERT", certFile).replaceAll("KEY", keyFile),
    );
  });

  test("that match are served, also a chain", async () => {
    const [certFile, keyFile] = [join(folder, "a.crt"), join(folder, "a.key")];
    const chain = pair.cert + other.cert;
    writeFileSync(certFile, chain);
    writeFileSync(keyFile, pair.key);
    expect(await readKeyPair(certFile, keyFile)).toStrictEqual({ cert: chain, key: pair.key });
  });
});
