/** Watches a management cluster for hosted clusters that are added, changed and deleted. */
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import {
  AUTO_NODE_POLICIES,
  CONFIG_MAPS,
  HOSTED_CONTROL_PLANES,
  SECRETS,
  type ServedKind,
} from "../api/served-kind.ts";
import { objectFingerprint } from "../objects/strip-fields.ts";
import { MANAGED_BY_KARPENTER } from "../read/read-management.ts";
import { listAndWatch, keyOf } from "./list-and-watch.ts";
import { NO_SETTINGS, type ReadSettings, readSettings, SETTINGS_NAME } from "./read-settings.ts";

/** A new object whenever the settings change. */
export interface FoundCluster {
  /** The namespace of the hosted control plane. */
  readonly namespace: string;
  readonly settings: ReadSettings;
}

interface HostedClusterOptions {
  /** A label selector for HostedControlPlanes. */
  readonly selector: string | undefined;
  /** The name of the Secrets with kubeconfigs. */
  readonly kubeconfigSecret: string;
  readonly signal: AbortSignal;
  readonly random: () => number;
  /** Called when it was added, or its settings changed. */
  readonly found: (cluster: FoundCluster) => void;
  readonly gone: (namespace: string) => void;
  /** Called when an object of the management cluster changed that a pass reads. */
  readonly news: (namespace: string) => void;
  /** Called when the Secret with its kubeconfig was added or changed. */
  readonly credentials: (namespace: string) => void;
  /** Called once, when all existing clusters were reported. */
  readonly complete: () => void;
  /** Whether all further changes are reported. If not, the caller must poll. */
  readonly followed?: (isFollowed: boolean) => void;
  readonly trouble: (kind: string, words: string) => void;
}

/**
 * One watch for each kind, over all namespaces. It reports nothing before both the hosted control planes and the settings
 * were read once, because the settings may pause or exclude a cluster.
 */
export async function watchHostedClusters(
  api: Pick<ClusterApi, "list" | "watch">,
  options: HostedClusterOptions,
): Promise<void> {
  const { selector, kubeconfigSecret, signal, random, found, gone, news, credentials, complete, followed, trouble } =
    options;
  const broken = new Set<object>();
  const controlPlanes = new Map<string, Set<string>>();
  const settings = new Map<string, ReadSettings>();
  const awaited = new Set(["control planes", "settings"]);
  const isComplete = () => awaited.size === 0;

  const report = (namespace: string): void => {
    if (isComplete() && controlPlanes.has(namespace))
      found({ namespace, settings: settings.get(namespace) ?? NO_SETTINGS });
  };
  const listed = (what: string): void => {
    if (!awaited.delete(what) || !isComplete()) return;
    for (const namespace of controlPlanes.keys()) report(namespace);
    complete();
  };
  const follows = (kind: ServedKind, more: Pick<Parameters<typeof listAndWatch>[2], "changed" | "gone"> & Selected) => {
    broken.add(more);
    const reportFollowed = (isFollowed: boolean): void => {
      if (isFollowed) broken.delete(more);
      else broken.add(more);
      followed?.(broken.size === 0);
    };
    return listAndWatch(api, kind, {
      signal,
      random,
      followed: reportFollowed,
      trouble: (words) => trouble(kind.kind, words),
      ...more,
    });
  };
  /** For kinds of which only the fact of a change matters. */
  const hints = (kind: ServedKind, onChange: (namespace: string) => void, selected: Selected) => {
    const signs = new Map<string, string>();
    return follows(kind, {
      ...selected,
      keep: marksOf,
      changed: (object) => {
        const sign = objectFingerprint(object);
        if (signs.get(keyOf(object)) === sign) return;
        signs.set(keyOf(object), sign);
        onChange(namespaceOf(object));
      },
      gone: (key) => {
        signs.delete(key);
        onChange(splitKey(key).namespace);
      },
    });
  };

  const signs = new Map<string, string>();
  await Promise.all([
    follows(HOSTED_CONTROL_PLANES, {
      labelSelector: selector,
      keep: marksOf,
      listed: () => listed("control planes"),
      changed: (object) => {
        const namespace = namespaceOf(object);
        const isNew = !controlPlanes.has(namespace);
        controlPlanes.set(namespace, (controlPlanes.get(namespace) ?? new Set<string>()).add(object.metadata.name));
        const sign = objectFingerprint(object);
        if (isNew) report(namespace);
        else if (signs.get(keyOf(object)) !== sign) news(namespace);
        signs.set(keyOf(object), sign);
      },
      gone: (key) => {
        const { namespace, name } = splitKey(key);
        signs.delete(key);
        const names = controlPlanes.get(namespace);
        names?.delete(name);
        if (names?.size !== 0) return;
        controlPlanes.delete(namespace);
        gone(namespace);
      },
    }),
    follows(CONFIG_MAPS, {
      fieldSelector: `metadata.name=${SETTINGS_NAME}`,
      listed: () => listed("settings"),
      changed: (object) => {
        settings.set(namespaceOf(object), readSettings(object));
        report(namespaceOf(object));
      },
      gone: (key) => {
        settings.delete(splitKey(key).namespace);
        report(splitKey(key).namespace);
      },
    }),
    hints(AUTO_NODE_POLICIES, news, {}),
    hints(SECRETS, news, { labelSelector: MANAGED_BY_KARPENTER }),
    hints(SECRETS, credentials, { fieldSelector: `metadata.name=${kubeconfigSecret}` }),
  ]);
}

type Selected = Pick<Parameters<typeof listAndWatch>[2], "labelSelector" | "fieldSelector" | "listed" | "keep">;

/** Metadata is enough to detect a change. No data of a Secret stays in memory. */
function marksOf({ apiVersion, kind, metadata }: LiveObject): LiveObject {
  const { managedFields: _records, ...marks } = metadata;
  return { apiVersion, kind, metadata: marks };
}

function namespaceOf({ metadata }: LiveObject): string {
  return metadata.namespace ?? "";
}

function splitKey(key: string): { namespace: string; name: string } {
  const [namespace = "", name = ""] = key.split("/");
  return { namespace, name };
}
