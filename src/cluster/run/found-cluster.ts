/** Opens a discovered hosted cluster: its clients, its settings and its input. */
import { toYaml } from "../../krm/yaml/write.ts";
import { parseSources } from "../../krm/parse/parse.ts";
import { NAMESPACE_IN_ADDRESS } from "../../model/settings/discover-config.ts";
import { given, intervalMs, watchSettings } from "../../model/settings/settings.ts";
import type { ClusterSettings } from "../../model/settings/watch-config.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { HttpClientOptions } from "../api/http-client.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import { type SecretAccess, secretAccess } from "../api/secret-access.ts";
import type { FoundCluster } from "../discover/hosted-clusters.ts";
import { SETTINGS_NAME } from "../discover/read-settings.ts";
import type { ReadDirectory, WatchedCluster } from "../objects/watched-cluster.ts";
import { directoryReader } from "../read/read-directory.ts";
import { openAccess, PRUNE_AFTER_MS } from "./open-clusters.ts";
import type { DiscoverSpec } from "./run.ts";

export interface OpenedCluster {
  readonly cluster: WatchedCluster;
  readonly access: SecretAccess;
  /** Undefined if it has the interval of all clusters. */
  readonly intervalMs: number | undefined;
}

interface OpenOptions {
  readonly client: HttpClientOptions;
  /** Reads Secrets. */
  readonly management: Pick<ClusterApi, "get">;
  readonly settleMs: number;
}

/** The kubeconfig of the management cluster may be in the middle of a change: the passes read it again. */
export function openFound(
  { namespace, settings: { value: settings } }: FoundCluster,
  discover: DiscoverSpec,
  { client, management, settleMs }: OpenOptions,
): OpenedCluster {
  const { name: secret, key } = discover.kubeconfigSecret;
  const access = secretAccess({
    management,
    place: { namespace, name: secret, key },
    server: discover.server && {
      ...discover.server,
      address: discover.server.address.replaceAll(NAMESPACE_IN_ADDRESS, namespace),
    },
    allowed: discover.allowedServers,
    now: () => performance.now(),
  });
  const { renderConfig, ...own } = settings;
  const { adopt, allowEmpty, autoNode, forced, defaults } = discover;
  const { render, ...kept } = watchSettings(forced, own, defaults);
  const { interval } = given("cluster", forced, own);
  const source = { paths: [], policyDir: undefined, config: discover.renderConfig };
  const cluster: WatchedCluster = {
    ...kept,
    adopt,
    allowEmpty,
    render: { ...render, autoNode },
    name: nameOf(namespace, discover),
    hostedCluster: namespace,
    guest: httpClusterApi({ access, ...client }),
    management: openAccess(discover.management, client).api,
    source,
    readDirectory: renderConfig === undefined ? directoryReader(source) : inlineConfig(namespace, renderConfig),
    settleMs,
    pruneAfterMs: PRUNE_AFTER_MS,
  };
  return { cluster, access, intervalMs: interval === undefined ? undefined : intervalMs(interval) };
}

/** Its name in logs and metrics, which is a part of the set's identity. */
export function nameOf(namespace: string, { names }: Pick<DiscoverSpec, "names">): string {
  return Object.hasOwn(names, namespace) ? names[namespace]! : namespace;
}

function inlineConfig(namespace: string, spec: NonNullable<ClusterSettings["renderConfig"]>): ReadDirectory {
  const text = toYaml({ apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "RenderConfig", spec });
  const file = `ConfigMap ${namespace}/${SETTINGS_NAME}`;
  const source = { file, folder: "", text, explicit: true, trusted: true, config: true, withoutLines: true };
  const { value, findings } = parseSources([source]);
  const read = { value: { resources: [], config: value[0] }, findings };
  return () => Promise.resolve(read);
}
