/** What of Prometheus' operator deploy/ uses, as CRDs that refuse every other field: the operator's own are not in reach. */
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

const texts = { type: "object", additionalProperties: text };

export const PROMETHEUS_RULE_CRD: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "prometheusrules.monitoring.coreos.com" },
  spec: {
    group: "monitoring.coreos.com",
    names: { kind: "PrometheusRule", plural: "prometheusrules", singular: "prometheusrule" },
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
                properties: {
                  groups: {
                    type: "array",
                    items: {
                      type: "object",
                      required: ["name", "rules"],
                      properties: {
                        name: text,
                        rules: {
                          type: "array",
                          items: {
                            type: "object",
                            required: ["expr"],
                            properties: { alert: text, expr: text, for: text, labels: texts, annotations: texts },
                          },
                        },
                      },
                    },
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
