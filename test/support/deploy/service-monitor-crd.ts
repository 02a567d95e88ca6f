/** What of Prometheus' ServiceMonitor deploy/ uses, as a CRD that refuses every other field: the operator's own is not in reach. */
import type { KubernetesObject } from "../controlplane/kubernetes-object.ts";

const text = { type: "string" };

export const SERVICE_MONITOR_CRD: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "servicemonitors.monitoring.coreos.com" },
  spec: {
    group: "monitoring.coreos.com",
    names: { kind: "ServiceMonitor", plural: "servicemonitors", singular: "servicemonitor" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["spec"],
            properties: {
              spec: {
                type: "object",
                required: ["endpoints", "selector"],
                properties: {
                  selector: {
                    type: "object",
                    properties: { matchLabels: { type: "object", additionalProperties: text } },
                  },
                  endpoints: {
                    type: "array",
                    items: { type: "object", properties: { port: text, path: text, interval: text } },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
