/** Certificates of our own making as TLS itself judges them, and what becomes of a folder that holds some, or something else. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer } from "node:tls";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { issueAuthority, issueServing } from "../../src/cluster/webhook/issue-certificates.ts";
import { readKeyPair } from "../../src/cluster/webhook/key-pair.ts";
import { selfSigned } from "../../src/cluster/webhook/self-signed.ts";
import { seedOf } from "../property/seed.ts";

const NOW = new Date("2026-11-22T10:00:00Z");
const DAY_MS = 86_400_000;
const inDays = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "anp-certificates-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("a certificate that we sign", () => {
  const authority = issueAuthority({ from: NOW, until: inDays(3650) });

  const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/);
  const name = fc.oneof(
    fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => [...labels, "svc"].join(".")),
    fc.ipV4(),
    fc.ipV6(),
  );

  test("is for each of its names, and for no other", () => {
    const check = (names: string[]): void => {
      const certificate = new X509Certificate(issueServing(authority, names, { from: NOW, until: inDays(365) }).cert);
      for (const each of names)
        expect(
          (each.includes(":") || /^[\d.]+$/.test(each) ? certificate.checkIP(each) : certificate.checkHost(each)) !==
            undefined,
          each,
        ).toBe(true);
      expect(certificate.checkHost("other.example.com")).toBeUndefined();
      expect(certificate.checkIP("192.0.2.1")).toBe(names.includes("192.0.2.1") ? "192.0.2.1" : undefined);
    };
    const numRuns = 100;
    fc.assert(fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), check), {
      numRuns,
      seed: seedOf("certificates", 20_261_122),
    });
  });

  test("is what TLS asks of it: issuer, signature, times, use, and a serial number of its own", () => {
    const root = new X509Certificate(authority.cert);
    const serving = [0, 1].map(
      () => new X509Certificate(issueServing(authority, ["a.svc"], { from: NOW, until: inDays(365) }).cert),
    );
    expect([root.ca, root.verify(root.publicKey), root.checkIssued(root)]).toStrictEqual([true, true, true]);
    for (const certificate of serving) {
      expect([certificate.ca, certificate.verify(root.publicKey), certificate.checkIssued(root)]).toStrictEqual([
        false,
        true,
        true,
      ]);
      expect([certificate.validFromDate, certificate.validToDate]).toStrictEqual([
        new Date("2026-11-22T09:55:00Z"),
        inDays(365),
      ]);
      // TLS servers.
      expect(certificate.keyUsage).toStrictEqual(["1.3.6.1.5.5.7.3.1"]);
    }
    expect(serving[0]?.serialNumber).not.toBe(serving[1]?.serialNumber);
  });

  test("ends with its authority, also beyond 2050, where times are written otherwise", () => {
    const old = issueAuthority({ from: NOW, until: new Date("2051-01-01T00:00:00Z") });
    const { cert } = issueServing(old, ["a.svc"], { from: NOW, until: new Date("2060-01-01T00:00:00Z") });
    expect(new X509Certificate(cert).validToDate).toStrictEqual(new Date("2051-01-01T00:00:00Z"));
  });

  test("is believed by a client that trusts the authority, under its names only", async () => {
    const now = new Date();
    const real = issueAuthority({ from: now, until: new Date(now.getTime() + DAY_MS) });
    const pair = issueServing(real, ["webhook.karpenter.svc"], { from: now, until: new Date(now.getTime() + DAY_MS) });
    const server = createServer(pair).listen(0, "127.0.0.1");
    await once(server, "listening");
    const ask = async (servername: string, ca: string): Promise<string> => {
      const socket = connect({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, servername, ca });
      const said = await Promise.race([
        once(socket, "secureConnect").then(() => "ok"),
        once(socket, "error").then(([error]) => (error as NodeJS.ErrnoException).code ?? ""),
      ]).catch((error: NodeJS.ErrnoException) => error.code ?? "");
      socket.destroy();
      return said;
    };
    expect(await ask("webhook.karpenter.svc", real.cert)).toBe("ok");
    expect(await ask("other.karpenter.svc", real.cert)).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(await ask("webhook.karpenter.svc", authority.cert)).toMatch(/UNABLE_TO_VERIFY|SIGNATURE|SELF_SIGNED/);
    server.close();
  });
});

describe("a folder", () => {
  const certs = () => join(folder, "certs");
  const files = () => readdirSync(certs()).toSorted();
  const fileOf = (name: string) => readFileSync(join(certs(), name), "utf8");

  test("that is not there is made, with keys that nobody else may read", async () => {
    const { authority, cert, key } = await selfSigned(certs(), { asked: ["a.svc"] }, NOW);
    expect(files()).toStrictEqual(["ca.crt", "ca.key", "tls.crt", "tls.key"]);
    expect([fileOf("ca.crt"), fileOf("tls.crt"), fileOf("tls.key")]).toStrictEqual([authority, cert, key]);
    const modes = ["", "ca.crt", "ca.key", "tls.crt", "tls.key"].map(
      (name) => statSync(join(certs(), name)).mode & 0o777,
    );
    expect(modes).toStrictEqual([0o700, 0o644, 0o600, 0o644, 0o600]);
    expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  test("that has what is asked for stays as it is", async () => {
    const first = await selfSigned(certs(), { asked: ["a.svc", "10.0.0.1"] }, NOW);
    for (const names of [[], ["a.svc"], ["10.0.0.1"]])
      expect(await selfSigned(certs(), { asked: names }, inDays(200))).toStrictEqual(first);
  });

  test.each([
    ["another name", ["b.svc"], 1, "DNS:a.svc, IP Address:10.0.0.1, DNS:b.svc"],
    ["its end near", [], 300, "DNS:a.svc, IP Address:10.0.0.1"],
    ["its end past", [], 400, "DNS:a.svc, IP Address:10.0.0.1"],
  ])("with %s gets a new certificate of the same authority", async (_, names, days, altNames) => {
    const first = await selfSigned(certs(), { asked: ["a.svc", "10.0.0.1"] }, NOW);
    const second = await selfSigned(certs(), { asked: names }, inDays(days));
    expect(second.authority).toBe(first.authority);
    expect([second.cert === first.cert, second.key === first.key]).toStrictEqual([false, false]);
    const certificate = new X509Certificate(second.cert);
    expect([certificate.subjectAltName, certificate.validToDate]).toStrictEqual([altNames, inDays(days + 365)]);
    expect(await selfSigned(certs(), { asked: [] }, inDays(days))).toStrictEqual(second);
  });

  test.each(["tls.crt", "tls.key"])("without %s gets both anew", async (name) => {
    const first = await selfSigned(certs(), { asked: ["a.svc"] }, NOW);
    rmSync(join(certs(), name));
    const second = await selfSigned(certs(), { asked: ["a.svc"] }, NOW);
    expect([second.authority === first.authority, second.cert === first.cert]).toStrictEqual([true, false]);
  });

  test("near its authority's end keeps its certificate, which could end no later", async () => {
    await selfSigned(certs(), { asked: ["a.svc"] }, NOW);
    const last = await selfSigned(certs(), { asked: [] }, inDays(3640));
    expect(new X509Certificate(last.cert).validToDate).toStrictEqual(inDays(3650));
    expect(await selfSigned(certs(), { asked: [] }, inDays(3645))).toStrictEqual(last);
    await expect(selfSigned(certs(), { asked: [] }, inDays(3651))).rejects.toThrow(
      `the authority in ${certs()} has expired: remove the folder, and patch the CRDs again`,
    );
  });

  test("of somebody else is left alone", async () => {
    const pair = issueServing(issueAuthority({ from: NOW, until: inDays(9) }), ["a.svc"], {
      from: NOW,
      until: inDays(9),
    });
    writeFileSync(join(folder, "tls.crt"), pair.cert);
    writeFileSync(join(folder, "tls.key"), pair.key);
    await expect(selfSigned(folder, { asked: ["a.svc"] }, NOW)).rejects.toThrow(
      `${folder} holds a certificate and no authority of anp's making: serve it with --cert and --key, or name another folder`,
    );
    expect(readdirSync(folder).toSorted()).toStrictEqual(["tls.crt", "tls.key"]);
  });

  test("with nothing asked for is for what it is otherwise, but only once", async () => {
    const first = await selfSigned(certs(), { asked: [], otherwise: "127.0.0.1" }, NOW);
    expect(new X509Certificate(first.cert).subjectAltName).toBe("IP Address:127.0.0.1");
    expect(await selfSigned(certs(), { asked: [], otherwise: "192.0.2.1" }, NOW)).toStrictEqual(first);
  });

  test("with nothing to be for is refused", async () => {
    await expect(selfSigned(certs(), { asked: [] }, NOW)).rejects.toThrow(
      "say what API servers call the webhook by: --service, --url or --dns-name",
    );
  });

  test("that cannot be made says so", async () => {
    writeFileSync(certs(), "");
    await expect(selfSigned(join(certs(), "deeper"), { asked: ["a.svc"] }, NOW)).rejects.toThrow(
      /deeper cannot be written: ENOTDIR/,
    );
  });
});

describe("two files", () => {
  const pair = issueServing(issueAuthority({ from: NOW, until: inDays(9) }), ["a.svc"], {
    from: NOW,
    until: inDays(9),
  });
  const other = issueServing(issueAuthority({ from: NOW, until: inDays(9) }), ["a.svc"], {
    from: NOW,
    until: inDays(9),
  });
  const encrypted = createPrivateKey(pair.key).export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase: "x",
  });

  test.each<[what: string, cert: string | undefined, key: string | undefined, words: string]>([
    ["absent", undefined, pair.key, "CERT cannot be read: ENOENT"],
    ["no certificate", "hello", pair.key, "CERT holds no certificate in PEM"],
    ["the wrong way round", pair.key, pair.cert, "CERT holds no certificate in PEM"],
    ["no key", pair.cert, `${pair.key.slice(0, 60)}…`, "KEY holds no private key in PEM"],
    ["an encrypted key", pair.cert, encrypted, "KEY holds an encrypted key, and anp asks for no passphrase"],
    ["another's key", pair.cert, other.key, "the key in KEY does not belong to the certificate in CERT"],
  ])("%s: one line, without a word of them", async (_, cert, key, words) => {
    const [certFile, keyFile] = [join(folder, "a.crt"), join(folder, "a.key")];
    if (cert !== undefined) writeFileSync(certFile, cert);
    if (key !== undefined) writeFileSync(keyFile, key);
    await expect(readKeyPair(certFile, keyFile)).rejects.toThrow(
      words.replaceAll("CERT", certFile).replaceAll("KEY", keyFile),
    );
  });

  test("that belong together are served, a chain too", async () => {
    const [certFile, keyFile] = [join(folder, "a.crt"), join(folder, "a.key")];
    const chain = pair.cert + other.cert;
    writeFileSync(certFile, chain);
    writeFileSync(keyFile, pair.key);
    expect(await readKeyPair(certFile, keyFile)).toStrictEqual({ cert: chain, key: pair.key });
  });
});
