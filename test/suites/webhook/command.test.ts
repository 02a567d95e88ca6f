/** `anp webhook` as a process: flags, exit codes, patches and log lines, certificate changes, and its end. */
import { type ChildProcess, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { KeyPair } from "../../../src/cluster/webhook/certificate.ts";
import { until } from "../../support/controlplane/objects.ts";
import { run } from "../../support/golden/case.ts";
import { goProgram } from "../../support/go/programs.ts";
import { kustomizeBuild } from "../../support/kustomize/kustomize.ts";
import { BIN, buildOnce, NODE } from "../../support/process/built.ts";
import { issue, issueInto, newAuthority } from "../../support/webhook/issue.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "anp-webhook-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const HERE = ["127.0.0.1"];
/** The files that `issueInto` writes. */
const SERVING = ["--cert", "tls.crt", "--key", "tls.key"];

/** Like the volume of a Secret: the files are links through another link, which changes all at once. */
function mount({ cert, key }: KeyPair, version: string): void {
  const data = join(folder, version);
  mkdirSync(data);
  writeFileSync(join(data, "tls.crt"), cert);
  writeFileSync(join(data, "tls.key"), key);
  symlinkSync(version, join(folder, "..data.new"));
  renameSync(join(folder, "..data.new"), join(folder, "..data"));
}

function linkFiles(): void {
  for (const name of ["tls.crt", "tls.key"]) symlinkSync(join("..data", name), join(folder, name));
}

describe("wrong use", () => {
  const CERT = SERVING;
  const GONE =
    "anp: --self-signed and --dns-name are gone: anp makes no certificates\n" +
    "let cert-manager or OpenShift's service-ca make one, as deploy/webhook does, and serve it with --cert and --key; --ca names the CA that API servers trust\n";

  test.each<[args: string[], words: string]>([
    [[], "say which certificate to serve: --cert FILE and --key FILE\n"],
    [["--cert", "tls.crt"], "say which certificate to serve: --cert FILE and --key FILE\n"],
    [["--self-signed", "certs", "--listen", ":8443"], GONE],
    [["--self-signed=certs", "--url", "https://a", "--print-crd-patch"], GONE],
    [["--self-signed"], GONE],
    [[...CERT, "--dns-name", "a.svc", "--dns-name", "b.svc"], GONE],
    [["--print-crd-patch"], "say where API servers find the webhook: --service or --url"],
    [
      ["--print-crd-patch", "--url", "https://a", "--service", "a/b"],
      "--service and --url exclude each other: give one of them",
    ],
    [[...CERT, "--url", "https://a"], "--service and --url go with --print-crd-patch\n"],
    [[...CERT, "--ca", "ca.crt"], "--ca goes with --print-crd-patch"],
    [["--listen", "8443"], "Write host:port, such as 127.0.0.1:8443, or :8443 for every address."],
    [["--listen", "a:b:1"], "Write host:port, such as 127.0.0.1:8443, or :8443 for every address."],
    [["--listen", ":65536"], "Write host:port, such as 127.0.0.1:8443, or :8443 for every address."],
    [["--service", "anp-webhook"], "Write namespace/name, such as karpenter/anp-webhook, or namespace/name:port."],
    [["--service", "a/b:0"], "Write namespace/name, such as karpenter/anp-webhook, or namespace/name:port."],
    [["--service", "a/B"], "Write namespace/name, such as karpenter/anp-webhook, or namespace/name:port."],
    [["--url", "http://a/convert"], "Write an address that begins with https://, without user, query and fragment."],
    [
      ["--url", "https://u:p@a/convert"],
      "Write an address that begins with https://, without user, query and fragment.",
    ],
    [
      ["--url", "https://a/convert?x=1"],
      "Write an address that begins with https://, without user, query and fragment.",
    ],
    [["here"], "error: too many arguments for 'webhook'. Expected 0 arguments but got 1: here."],
  ])("%j", async (args, words) => {
    const { exit, stdout, stderr } = await run(folder, ["webhook", ...args]);
    expect([exit, stdout]).toStrictEqual([2, ""]);
    expect(stderr).toContain(words);
  });

  test.each([
    [["--cert", "none", "--key", "none"], 3, "anp: none cannot be read: ENOENT\n"],
    [
      [...SERVING, "--kubeconfig", "none"],
      4,
      "anp: the kubeconfig none cannot be read: ENOENT: no such file or directory, open 'none'\n",
    ],
    [[...SERVING, "--listen", "192.0.2.1:0"], 4, "anp: cannot listen on 192.0.2.1:0: EADDRNOTAVAIL\n"],
    [["--print-crd-patch", "--service", "a/b", "--ca", "none"], 3, "anp: none does not exist\n"],
    [["--print-crd-patch", "--service", "a/b", "--ca", "tls.key"], 3, "anp: tls.key holds no certificate in PEM\n"],
  ])("%j: exit %i", async (args, exit, stderr) => {
    issueInto(folder, HERE);
    expect(await run(folder, ["webhook", ...args])).toStrictEqual({ exit, stdout: "", stderr });
  });

  test("a port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const listen = `127.0.0.1:${port}`;
    issueInto(folder, HERE);
    expect(await run(folder, ["webhook", ...SERVING, "--listen", listen])).toStrictEqual({
      exit: 4,
      stdout: "",
      stderr: `anp: cannot listen on ${listen}: EADDRINUSE\n`,
    });
    other.close();
  });
});

describe("--print-crd-patch", () => {
  async function conversion(...args: string[]): Promise<unknown> {
    const { exit, stdout, stderr } = await run(folder, ["webhook", "--print-crd-patch", ...args]);
    expect([exit, stderr]).toStrictEqual([0, ""]);
    const patch = parse(stdout) as { op: string; path: string; value: { webhook: { clientConfig: unknown } } }[];
    expect(patch.map(({ op, path }) => `${op} ${path}`)).toStrictEqual(["add /spec/conversion"]);
    return patch[0]?.value.webhook.clientConfig;
  }

  test("names a service, without certificates", async () => {
    expect(await conversion("--service", "karpenter/anp-webhook:8443")).toStrictEqual({
      service: { namespace: "karpenter", name: "anp-webhook", port: 8443, path: "/convert" },
    });
  });

  test("names a URL, and the certificates of a file without its key", async () => {
    const { cert, key } = issue(HERE);
    writeFileSync(join(folder, "all.pem"), `key first\n${key}${cert}\n${cert}`);
    expect(await conversion("--url", "https://10.0.0.1:8443", "--ca", "all.pem")).toStrictEqual({
      url: "https://10.0.0.1:8443/convert",
      caBundle: Buffer.from(cert + cert).toString("base64"),
    });
  });
});

test("kustomize takes the patch for all CRDs", async () => {
  const { stdout } = await run(folder, ["webhook", "--print-crd-patch", "--service", "karpenter/anp-webhook"]);
  const crd = (name: string): object => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: { conversion: { strategy: "Webhook", webhook: { clientConfig: { url: "https://before" } } } },
  });
  const names = ["nodepools.karpenter.sh", "others.example.com"];
  writeFileSync(join(folder, "crds.yaml"), names.map((name) => JSON.stringify(crd(name))).join("\n---\n"));
  writeFileSync(join(folder, "conversion.yaml"), stdout);
  writeFileSync(
    join(folder, "kustomization.yaml"),
    "resources: [crds.yaml]\npatches:\n- path: conversion.yaml\n  target: {kind: CustomResourceDefinition, name: '.*karpenter.*'}\n",
  );
  const built = kustomizeBuild(await goProgram("kustomize"), folder);
  expect(built.stderr).toBe("");
  const [pools, others] = built.stdout.split("---\n").map((text) => parse(text) as { spec: { conversion: unknown } });
  expect(pools?.spec.conversion).toStrictEqual({
    strategy: "Webhook",
    webhook: {
      conversionReviewVersions: ["v1"],
      clientConfig: { service: { namespace: "karpenter", name: "anp-webhook", port: 443, path: "/convert" } },
    },
  });
  expect(others?.spec.conversion).toStrictEqual({
    strategy: "Webhook",
    webhook: { clientConfig: { url: "https://before" } },
  });
});

describe("the process", { timeout: 60_000 }, () => {
  let child: ChildProcess;
  let text: string;

  beforeAll(buildOnce);

  afterEach(() => {
    child.kill("SIGKILL");
  });

  async function start(...args: string[]): Promise<number> {
    text = "";
    child = spawn(NODE, [BIN, "webhook", "--listen", "127.0.0.1:0", ...args], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr?.on("data", (chunk: Buffer) => (text += chunk.toString()));
    await until("it serves", async () => text.includes("msg=serving"));
    return Number(/address=127\.0\.0\.1:(\d+)/.exec(text)?.[1]);
  }

  async function shown(port: number, ca: string): Promise<string> {
    const socket = connect({ host: "127.0.0.1", port, ca });
    await once(socket, "secureConnect");
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  }

  const fingerprint = ({ cert }: KeyPair): string => new X509Certificate(cert).fingerprint256;

  test.each(["SIGTERM", "SIGINT"] as const)("%s ends it cleanly", async (signal) => {
    issueInto(folder, HERE);
    await start(...SERVING);
    const ended = once(child, "close");
    child.kill(signal);
    expect(await ended).toStrictEqual([0, null]);
    expect(text).toMatch(/level=info msg=ending\n$/);
  });

  test("serves a new certificate once its files have changed, and keeps the old one while they do not match", async () => {
    const authority = newAuthority();
    const [first, second, third] = [issue(HERE, authority), issue(HERE, authority), issue(HERE, authority)];
    mount(first, "v1");
    linkFiles();
    const port = await start(...SERVING);
    expect(await shown(port, authority.cert)).toBe(fingerprint(first));
    mount(second, "v2");
    await until("the second is shown", async () => (await shown(port, authority.cert)) === fingerprint(second));
    mount({ cert: third.cert, key: second.key }, "v3");
    await until("it is logged", async () => text.includes("certificate not changed"));
    expect(text).toContain('reason="the key in tls.key does not belong to the certificate in tls.crt"');
    expect(await shown(port, authority.cert)).toBe(fingerprint(second));
    mount(third, "v4");
    await until("the third is shown", async () => (await shown(port, authority.cert)) === fingerprint(third));
    const told = () => text.match(/msg="certificate changed" names="IP Address:127.0.0.1" until=/g)?.length;
    await until("both changes are logged", async () => told() === 2);
    for (const { key } of [first, second, third]) expect(text).not.toContain(key.split("\n")[1]);
  });
});
