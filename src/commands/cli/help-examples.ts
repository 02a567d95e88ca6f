/** The examples below the options in the help of a command. */

const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  render: [
    "anp render ./manifests",
    "anp render ./manifests --output-dir ./rendered",
    "kubectl get onp,oec2nc -o yaml | anp render policy.yaml -",
    "anp render ./users --policy-dir ./provider --require-policy",
  ],
  check: [
    "anp check ./manifests",
    "anp check ./clusters --policy-dir './clusters/*/policy' --report github",
    "anp check ./manifests --write-baseline accepted.json",
    "anp check ./manifests --prove",
  ],
  explain: [
    "anp explain ./manifests",
    "anp explain ./manifests --nodepool web --types",
    "anp explain ./manifests --pods pods.yaml",
    "anp explain --live --context guest --pods",
    "kubectl get events -A | anp explain --event - ./manifests",
  ],
  diff: [
    "anp diff ./manifests --against main",
    "anp diff ./manifests --against ./rendered -o markdown",
    "anp diff ./manifests --live --context guest",
  ],
  rollout: [
    "anp rollout plan clusters --policy-dir clusters/policies --against main --waves canary,10%,rest -d rollout",
    "anp rollout status clusters --policy-dir clusters/policies --plan rollout --node-data dumps",
  ],
  plan: [
    "anp plan ./manifests --pods web.yaml --region eu-west-1",
    "kubectl get nodes,nodeclaims,pods,daemonsets,pdb,namespaces -A -o json > c.json && anp plan ./manifests --node-data c.json",
  ],
  why: [
    "anp why ip-10-0-1-7.ec2.internal --live",
    "anp why pod/shop/web-1 --node-data dumps/prod/cluster.json",
    "anp why nodepool/web ./manifests --live",
  ],
  simulate: [
    "anp simulate ./manifests --at '2026-11-23 09:00' --tz Europe/Berlin",
    "anp simulate ./manifests --from now --to +7d",
    "kubectl get nodepools,nodeclaims,nodes -o json > nodes.json && anp simulate ./manifests --node-data nodes.json",
  ],
  collect: ["anp collect dumps --live --context prod", "anp simulate --node-data dumps/prod/cluster.json"],
  doctor: ["anp doctor .", "anp doctor . --policy-dir './clusters/*/policy' -o json"],
  adopt: [
    "anp adopt karpenter.yaml",
    "anp adopt ./karpenter --output-dir ./manifests",
    "anp adopt ./manifests --raw --output-dir ./karpenter",
  ],
  migrate: ["anp migrate ./karpenter", "anp migrate ./karpenter --write --dry-run"],
  upgrade: ["anp upgrade ./karpenter ./alerts --from 1.14 --to 1.15", "anp upgrade --live --from 1.14 --to 1.15"],
  cmp: ["anp cmp discover", "anp cmp generate", "anp cmp doctor ./application"],
  fn: ["kpt fn eval ./manifests --exec 'anp fn'", "anp fn < resource-list.yaml"],
  guard: [
    "anp guard policy.yaml --karpenter-user system:serviceaccount:kube-system:karpenter | kubectl apply -f -",
    "anp guard policy.yaml --touch --dry-run --context eks",
    "anp guard policy.yaml --withdraw",
  ],
  crds: ["anp crds | kubectl apply -f -", "anp crds --karpenter --json-schemas ./schemas"],
  watch: ["anp watch ./manifests --once --dry-run", "anp watch --config watch.yaml"],
};

/** Empty for a command that writes its own examples. */
export function helpExamples(command: string): string {
  const lines = Object.hasOwn(EXAMPLES, command) ? EXAMPLES[command]! : [];
  return lines.length === 0 ? "" : `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
