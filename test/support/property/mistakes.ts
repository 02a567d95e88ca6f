/** Defines mistakes in a policy file, each with the expected finding. */

/** Path to content; a folder is a path that ends with a slash. */
export type Files = Map<string, string | Uint8Array>;

export const POLICY_FILE = "provider/policy.yaml";

export const POLICY = `apiVersion: karpenter.hypershift.openshift.io/v1beta1
kind: AutoNodePolicy
metadata:
  name: default
  namespace: clusters-shop
spec:
  nodePoolDefaults:
    requirements:
      - key: kubernetes.io/arch
        operator: In
        values: [amd64]
      - key: topology.kubernetes.io/zone
        operator: NotIn
        values: [us-east-1-bos-1a]
        minValues: 2
  ec2NodeClassDefaults:
    rootVolume:
      volumeSize: 100Gi
      volumeType: gp3
      encrypted: true
      iops: 3000
      throughput: 125
`;

/**
 * `absent`: the hosted cluster has no policy, or the input names no hosted cluster. `holds`: the mistake is harmless,
 * and the policy is enforced. Otherwise the code of the finding.
 */
export interface Mistake {
  readonly what: string;
  readonly apply: (files: Files) => void;
  readonly exit: 0 | 1 | 3;
  readonly says: string;
}

/** A change of the policy's text, which must change something. A function gets the first group. */
export function edit(
  what: string,
  from: string | RegExp,
  to: string | ((group: string) => string),
  exit: Mistake["exit"],
  says: string,
): Mistake {
  return {
    what,
    exit,
    says,
    apply: (files) => {
      const before = String(files.get(POLICY_FILE));
      const after =
        typeof to === "string"
          ? before.replace(from, to)
          : before.replace(from, (_whole: string, group: string) => to(group));
      if (after === before) throw new Error(`${what}: nothing was changed`);
      files.set(POLICY_FILE, after);
    },
  };
}

export function move(
  what: string,
  to: string,
  exit: Mistake["exit"],
  says: string,
  more: Record<string, string> = {},
): Mistake {
  return {
    what,
    exit,
    says,
    apply: (files) => {
      const policy = files.get(POLICY_FILE)!;
      files.delete(POLICY_FILE);
      files.set(to, policy);
      for (const [path, text] of Object.entries(more)) files.set(path, text);
    },
  };
}

export function write(
  what: string,
  content: (text: string) => string | Uint8Array,
  exit: Mistake["exit"],
  says: string,
): Mistake {
  return { what, exit, says, apply: (files) => files.set(POLICY_FILE, content(String(files.get(POLICY_FILE)))) };
}

/** Comments out the line with the key and everything below it. */
export function comment(key: string, exit: Mistake["exit"], says: string): Mistake {
  return {
    what: `${key} commented out`,
    exit,
    says,
    apply: (files) => {
      const lines = String(files.get(POLICY_FILE)).split("\n");
      const start = lines.findIndex((line) => line.trim().startsWith(`${key}:`) || line.trim() === key);
      if (start === -1) throw new Error(`no ${key}`);
      const indent = lines[start]!.search(/\S/);
      const length = lines.slice(start + 1).findIndex((line) => line.trim() === "" || line.search(/\S/) <= indent);
      const commented = lines.map((line, at) => (at >= start && at <= start + length ? `#${line}` : line));
      files.set(POLICY_FILE, commented.join("\n"));
    },
  };
}
