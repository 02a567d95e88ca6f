/** The hosted clusters that a management cluster has, as they come, change and go. */
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import {
  AUTO_NODE_POLICIES,
  CONFIG_MAPS,
  HOSTED_CONTROL_PLANES,
  SECRETS,
  type ServedKind,
} from "../api/served-kind.ts";
import { changeSign } from "../objects/change-sign.ts";
import { MANAGED_BY_KARPENTER } from "../read/read-management.ts";
import { follow, keyOf } from "./follow.ts";
import { NO_SETTINGS, type ReadSettings, readSettings, SETTINGS_NAME } from "./read-settings.ts";

/** Another object as soon as its settings are others. */
export interface FoundCluster {
  /** Of the hosted control plane. */
  readonly namespace: string;
  readonly settings: ReadSettings;
}

interface HostedClusterOptions {
  /** Of labels of HostedControlPlanes. */
  readonly selector: string | undefined;
  /** The name of the Secrets with kubeconfigs. */
  readonly kubeconfigSecret: string;
  readonly signal: AbortSignal;
  readonly random: () => number;
  /** It has come, or its settings have changed. */
  readonly found: (cluster: FoundCluster) => void;
  readonly gone: (namespace: string) => void;
  /** Something changed that a pass reads of the management cluster. */
  readonly news: (namespace: string) => void;
  /** The Secret with its kubeconfig came or changed. */
  readonly credentials: (namespace: string) => void;
  /** Once: all that is there has been told. */
  readonly complete: () => void;
  /** Whether all of it is told that changes from now on; without watches nobody may rest. */
  readonly followed?: (isFollowed: boolean) => void;
  readonly trouble: (kind: string, words: string) => void;
}

/**
 * One watch for each kind, over all namespaces. Nothing is told before both the hosted control planes and the settings
 * have been read once: without its settings nobody knows what a cluster is to be spared.
 */
export async function followHostedClusters(
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

  const tell = (namespace: string): void => {
    if (isComplete() && controlPlanes.has(namespace))
      found({ namespace, settings: settings.get(namespace) ?? NO_SETTINGS });
  };
  const listed = (what: string): void => {
    if (!awaited.delete(what) || !isComplete()) return;
    for (const namespace of controlPlanes.keys()) tell(namespace);
    complete();
  };
  const follows = (kind: ServedKind, more: Pick<Parameters<typeof follow>[2], "changed" | "gone"> & Selected) => {
    broken.add(more);
    const tellFollowed = (isFollowed: boolean): void => {
      if (isFollowed) broken.delete(more);
      else broken.add(more);
      followed?.(broken.size === 0);
    };
    return follow(api, kind, {
      signal,
      random,
      followed: tellFollowed,
      trouble: (words) => trouble(kind.kind, words),
      ...more,
    });
  };
  /** Those of which only the change matters. */
  const hints = (kind: ServedKind, told: (namespace: string) => void, selected: Selected) => {
    const signs = new Map<string, string>();
    return follows(kind, {
      ...selected,
      keep: marksOf,
      changed: (object) => {
        const sign = changeSign(object);
        if (signs.get(keyOf(object)) === sign) return;
        signs.set(keyOf(object), sign);
        told(namespaceOf(object));
      },
      gone: (key) => {
        signs.delete(key);
        told(placeOf(key).namespace);
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
        const sign = changeSign(object);
        if (isNew) tell(namespace);
        else if (signs.get(keyOf(object)) !== sign) news(namespace);
        signs.set(keyOf(object), sign);
      },
      gone: (key) => {
        const { namespace, name } = placeOf(key);
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
        tell(namespaceOf(object));
      },
      gone: (key) => {
        settings.delete(placeOf(key).namespace);
        tell(placeOf(key).namespace);
      },
    }),
    hints(AUTO_NODE_POLICIES, news, {}),
    hints(SECRETS, news, { labelSelector: MANAGED_BY_KARPENTER }),
    hints(SECRETS, credentials, { fieldSelector: `metadata.name=${kubeconfigSecret}` }),
  ]);
}

type Selected = Pick<Parameters<typeof follow>[2], "labelSelector" | "fieldSelector" | "listed" | "keep">;

/** Whether it changed is all that is asked of it here; nothing of a Secret stays. */
function marksOf({ apiVersion, kind, metadata }: LiveObject): LiveObject {
  const { managedFields: _records, ...marks } = metadata;
  return { apiVersion, kind, metadata: marks };
}

function namespaceOf({ metadata }: LiveObject): string {
  return metadata.namespace ?? "";
}

function placeOf(key: string): { namespace: string; name: string } {
  const [namespace = "", name = ""] = key.split("/");
  return { namespace, name };
}
