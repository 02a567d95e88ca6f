/** Reads a kubeconfig that has inline credentials only, and refuses every other field. */
import { type Fields, isFields } from "../../krm/values/fields.ts";
import { readFileSync } from "node:fs";
import { type Cluster, KubeConfig, type User } from "@kubernetes/client-node";
import { load } from "js-yaml";
import { ClusterError } from "./api-answer.ts";

/** The allowed fields of a cluster and of a user. All others are refused, also those that a later client may add. */
const CLUSTER_FIELDS = ["server", "certificate-authority-data", "tls-server-name", "extensions"];
const USER_FIELDS = ["token", "client-certificate-data", "client-key-data", "extensions"];

const WHY: Readonly<Record<string, string>> = {
  exec: "runs a program",
  "auth-provider": "may run a program or read a file",
  tokenFile: "names a file",
  "token-file": "names a file",
  "client-certificate": "names a file",
  "client-key": "names a file",
  "certificate-authority": "names a file",
  "insecure-skip-tls-verify": "trusts every server",
  "proxy-url": "sends everything through another server",
};

/** The size limit of a Secret. */
const MAX_BYTES = 1024 * 1024;

/**
 * Otherwise a user who may write a Secret with a kubeconfig could run a program where anp runs, or send a file from
 * there to another server (Flux closed the same: GHSA-vvmq-fwmg-2gjc). The values are copied one by one, because the
 * client library reads token files when it loads a kubeconfig.
 *
 * @param files merged as kubectl merges those of KUBECONFIG: the first of a name counts
 * @throws ClusterError that names each field that is refused, and not its value
 */
export function inlineKubeconfig(files: readonly string[], contextName: string | undefined): KubeConfig {
  const texts = files.map((file) => ({ name: file, text: readFileSync(file, "utf8") }));
  return kubeconfigOfTexts(texts, contextName, " (--allow-exec takes your own as kubectl does)");
}

/** The text of a kubeconfig, and a name for it in messages. */
export interface KubeconfigText {
  readonly name: string;
  readonly text: string;
}

/**
 * Like `inlineKubeconfig`, for texts that were read already.
 *
 * @param advice appended to the message when a kubeconfig is refused
 * @throws ClusterError, and what the parser throws
 */
export function kubeconfigOfTexts(
  texts: readonly KubeconfigText[],
  contextName: string | undefined,
  advice = "",
): KubeConfig {
  const configs = texts.map(readFields);
  const named = (list: string, name: unknown) =>
    configs.flatMap((config) => listOf(config[list])).find((entry) => entry["name"] === name);
  const current = contextName ?? configs.map((config) => config["current-context"]).find((name) => !isAbsent(name));
  const context = named("contexts", current);
  if (context === undefined && isAbsent(current)) return new KubeConfig();
  if (context === undefined) {
    const names = configs.flatMap((config) => listOf(config["contexts"]).map(({ name }) => String(name)));
    throw new ClusterError(`the kubeconfig has no context ${String(current)}; it has ${names.join(", ") || "none"}`);
  }
  const { cluster: clusterName, user: userName } = fieldsOf(context["context"]);
  const cluster = fieldsOf(named("clusters", clusterName)?.["cluster"]);
  // The caller reports that no cluster is given.
  if (isAbsent(cluster["server"])) return new KubeConfig();
  const user = fieldsOf(named("users", userName)?.["user"]);
  const reasons = [
    ...refused(cluster, CLUSTER_FIELDS),
    ...refused(user, USER_FIELDS),
    ...(/^https:\/\//i.test(textOf(cluster["server"]) ?? "") ? [] : ["`server` is no https address"]),
  ];
  if (reasons.length > 0)
    throw new ClusterError(
      `the kubeconfig ${texts.map(({ name }) => name).join(", ")} is not used, because it says more than an https address with CA, token, certificate and key written out: ${reasons.join("; ")}${advice}`,
    );
  return configOf(cluster, user);
}

function configOf(cluster: Fields, user: Fields): KubeConfig {
  const config = new KubeConfig();
  const clusters: Cluster[] = [
    {
      name: "cluster",
      server: textOf(cluster["server"]) ?? "",
      skipTLSVerify: false,
      ...some({ caData: cluster["certificate-authority-data"], tlsServerName: cluster["tls-server-name"] }),
    },
  ];
  const { token } = user;
  const users: User[] = [
    {
      name: "user",
      ...some({ token, certData: user["client-certificate-data"], keyData: user["client-key-data"] }),
    },
  ];
  const contexts = [{ name: "context", cluster: "cluster", user: "user" }];
  config.loadFromOptions({ clusters, users, contexts, currentContext: "context" });
  return config;
}

function readFields({ name, text }: KubeconfigText): Fields {
  if (text.length > MAX_BYTES) throw new ClusterError(`the kubeconfig ${name} is larger than 1 MiB`);
  return fieldsOf(load(text));
}

function refused(fields: Fields, allowed: readonly string[]): string[] {
  return Object.keys(fields)
    .filter((name) => !allowed.includes(name) && !isAbsent(fields[name]) && fields[name] !== false)
    .toSorted()
    .map((name) => `\`${name}\` ${WHY[name] ?? "is none of those"}`);
}

function some(texts: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}
