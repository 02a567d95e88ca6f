/** What of Prometheus' operator deploy/ uses, as CRDs that refuse every other field: the operator's own are not in reach. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

const text = { type: "string" };
const texts = { type: "object", additionalProperties: text };

function crd(kind: string, spec: object): KubernetesObject {
  const singular = kind.toLowerCase();
  const openAPIV3Schema = { type: "object", required: ["spec"], properties: { spec } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${singular}s.monitoring.coreos.com` },
    spec: {
      group: "monitoring.coreos.com",
      names: { kind, plural: `${singular}s`, singular },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

export const SERVICE_MONITOR_CRD = crd("ServiceMonitor", {
  type: "object",
  required: ["endpoints", "selector"],
  properties: {
    selector: { type: "object", properties: { matchLabels: texts } },
    endpoints: {
      type: "array",
      items: { type: "object", properties: { port: text, path: text, interval: text } },
    },
  },
});

const rule = {
  type: "object",
  required: ["expr"],
  properties: { alert: text, expr: text, for: text, labels: texts, annotations: texts },
};

export const PROMETHEUS_RULE_CRD = crd("PrometheusRule", {
  type: "object",
  properties: {
    groups: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "rules"],
        properties: { name: text, rules: { type: "array", items: rule } },
      },
    },
  },
});
