/** Repositories of these tests: valid, with a warning, with an error, and not even YAML. */
import { outsider, policy, pool } from "../process/inputs.ts";

const ON_DEMAND = "{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}";
const ARM = "{key: karpenter.k8s.aws/instance-family, operator: In, values: [m7g]}";

export const CLEAN = {
  "clusters/a/policy.yaml": policy("clusters-a"),
  "clusters/a/web.yaml": pool("web", `[${ON_DEMAND}]`),
};
/** The policy allows amd64 only. */
export const WARNING = { ...CLEAN, "clusters/a/web.yaml": pool("web", `[${ON_DEMAND}, ${ARM}]`) };
export const ERROR = {
  "clusters/a/policy.yaml": policy("clusters-a", "[a]", "example.com/team"),
  "clusters/a/web.yaml": outsider,
};
export const UNREADABLE = { ...CLEAN, "clusters/a/web.yaml": "a: [" };
