/** A real API server that serves Karpenter 1.0.8's kinds in both versions and asks anp to convert them: the stored version in, the server and the webhook's log out. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import type { Limits } from "../../../src/cluster/webhook/webhook-server.ts";
import { runWebhook } from "../../../src/cluster/webhook/run-webhook.ts";
import type { KarpenterVersion } from "../../../src/karpenter/conversion/karpenter-type.ts";
import { type ControlPlane, startControlPlane } from "../controlplane/control-plane.ts";
import { KARPENTER_CRD_NAMES } from "../controlplane/karpenter-crds.ts";
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";
import { create, remove, until, waitEstablished, waitGone } from "../controlplane/objects.ts";
import { collectionPath } from "../controlplane/rest-path.ts";
import { run } from "../golden/case.ts";
import { bothVersions } from "./crds.ts";
import { issueInto } from "./issue.ts";
import { ec2NodeClass, nodeClaim, nodePool } from "./objects.ts";

export const ADMIN = "system:admin";

export interface Webhook {
  readonly url: string;
  /** Lines so far, without their times. */
  readonly log: () => string[];
  readonly stop: () => Promise<void>;
}

export interface WebhookRig {
  readonly on: ControlPlane;
  readonly folder: string;
  readonly kubeconfig: string;
  /** The one that runs, or ran last. */
  readonly webhook: Webhook;
  /** While it does not run, and when it runs again. */
  readonly withoutWebhook: (act: () => Promise<void>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startWebhookRig(
  stored: KarpenterVersion = "v1",
  adapt: (crd: KubernetesObject) => KubernetesObject = (crd) => crd,
): Promise<WebhookRig> {
  const on = await startControlPlane();
  const folder = mkdtempSync(join(tmpdir(), "anp-webhook-"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, on.kubeconfig(ADMIN), { mode: 0o600 });
  for (const crd of await bothVersions(stored)) expectDone(await create(on, ADMIN, adapt(crd)));
  let webhook = await startWebhook(folder, { kubeconfig });
  await useWebhook(on, folder, webhook.url);
  const stop = async (): Promise<void> => {
    await on.stop();
    await webhook.stop();
    rmSync(folder, { recursive: true });
  };
  const withoutWebhook = async (act: () => Promise<void>): Promise<void> => {
    await webhook.stop();
    await act();
    webhook = await startWebhook(folder, { kubeconfig, port: Number(new URL(webhook.url).port) });
  };
  return {
    on,
    folder,
    kubeconfig,
    get webhook() {
      return webhook;
    },
    withoutWebhook,
    stop,
  };
}

interface StartOptions {
  readonly kubeconfig?: string;
  readonly port?: number;
  readonly limits?: Limits;
}

/** Its certificate is that of the folder `certs`, which is made where it is not there. */
export async function startWebhook(
  folder: string,
  { kubeconfig, port = 0, limits }: StartOptions = {},
): Promise<Webhook> {
  let text = "";
  const log = (): string[] => text.split("\n").flatMap((line) => line.replace(/^time=\S+ /, "") || []);
  const ending = new AbortController();
  const listen = { host: "127.0.0.1", port };
  const certs = join(folder, "certs");
  if (!existsSync(certs)) issueInto(certs, ["127.0.0.1"]);
  const certificate = { cert: join(certs, "tls.crt"), key: join(certs, "tls.key") };
  const cluster = kubeconfig === undefined ? undefined : { kubeconfig };
  const options = {
    logFormat: "logfmt",
    write: (line: string) => void (text += line),
    signal: ending.signal,
    ...(limits === undefined ? {} : { limits }),
  } as const;
  const ended = runWebhook({ listen, certificate, cluster }, options);
  await until("the webhook serves", async () => text.includes("msg=serving"));
  const address = /address=(\S+)/.exec(text)?.[1] ?? "";
  const stop = async (): Promise<void> => {
    ending.abort();
    const { problem } = await ended;
    if (problem !== undefined) throw new Error(problem);
  };
  return { url: `https://${address}/convert`, log, stop };
}

/** As a user does it: prints the patch, and patches the CRDs with it. Until they ask there. */
export async function useWebhook(on: ControlPlane, folder: string, url: string): Promise<void> {
  const args = ["webhook", "--print-crd-patch", "--url", url, "--ca", "certs/ca.crt"];
  const { exit, stdout, stderr } = await run(folder, args);
  if (exit !== 0) throw new Error(stderr);
  const headers = { "content-type": "application/json-patch+json" };
  for (const name of KARPENTER_CRD_NAMES) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
    expectDone(await on.request(ADMIN, "PATCH", path, parse(stdout) as object, headers));
  }
  await waitEstablished(on, KARPENTER_CRD_NAMES);
  for (const { v1, v1beta1 } of [nodePool("probe"), nodeClaim("probe", "probe"), ec2NodeClass("probe")])
    await until("what is not stored is converted", async () => {
      const answers = [v1, v1beta1].map((object) => create(on, ADMIN, object, { dryRun: true }));
      return (await Promise.all(answers)).every(({ status }) => status === 201);
    });
}

export function expectDone({ status, text }: { readonly status: number; readonly text: string }): void {
  if (status >= 300) throw new Error(text);
}

/** The object in the other of the two versions; only what names it. */
export function inVersion(object: KubernetesObject, version: KarpenterVersion): KubernetesObject {
  const { apiVersion = "", kind = "", metadata } = object;
  return { apiVersion: `${apiVersion.split("/")[0]}/${version}`, kind, metadata: { name: metadata?.name ?? "" } };
}

/** All objects of the three kinds go. */
export async function clear(on: ControlPlane): Promise<void> {
  for (const [group, kind] of KINDS) {
    const of = { apiVersion: `${group}/v1`, kind };
    const { body } = await on.request(ADMIN, "GET", await collectionPath(on, of));
    for (const { metadata } of body.items ?? []) {
      const object = { ...of, metadata: { name: metadata?.name ?? "" } };
      expectDone(await remove(on, ADMIN, object));
      await waitGone(on, object);
    }
  }
}

const KINDS = [
  ["karpenter.sh", "NodeClaim"],
  ["karpenter.sh", "NodePool"],
  ["karpenter.k8s.aws", "EC2NodeClass"],
] as const;
