/** The label keys that Karpenter reserves, as rules for CEL and for anp. */
import { nearestWord } from "../../krm/values/nearest-word.ts";
import type { Rule } from "../schema/rule.ts";

/** The keys and their rules are in docs/upstream/karpenter.md#crds. */
export interface KeyRule {
  /** CEL over the key, which is `self` or the variable of a macro. */
  readonly cel: (key: string) => string;
  readonly message: string;
  readonly test: (key: string) => boolean;
  readonly hint: string | ((key: string) => string);
}

/** The rule on a text that is a key. */
export const ofText = ({ cel, ...rest }: KeyRule): Rule<string> => ({ cel: cel("self"), ...rest });

/** The rule on every key of a map. */
export const ofMap = ({ cel, test, message, hint }: KeyRule): Rule<Record<string, string>> => {
  const wrong = (labels: Record<string, string>): string => Object.keys(labels).find((key) => !test(key)) ?? "";
  return {
    cel: `self.all(x, ${cel("x")})`,
    message,
    hint: typeof hint === "string" ? hint : (labels) => hint(wrong(labels)),
    test: (labels) => Object.keys(labels).every((key) => test(key)),
    at: (labels) => [wrong(labels)],
  };
};

/** The CRDs test the end of the part before the slash, so `notkarpenter.sh/x` is restricted as well. */
function domainEndsWith(key: string, domain: string): boolean {
  return (/^[^/]+/.exec(key)?.[0] ?? "").endsWith(domain);
}

const OPEN = ["karpenter.sh/capacity-type", "karpenter.sh/nodepool"];

export const NOT_KARPENTERS: KeyRule = {
  cel: (key) =>
    `${key} in ["karpenter.sh/capacity-type", "karpenter.sh/nodepool"] || !${key}.find("^([^/]+)").endsWith("karpenter.sh")`,
  message: 'label domain "karpenter.sh" is restricted',
  test: (key) => OPEN.includes(key) || !domainEndsWith(key, "karpenter.sh"),
  hint: "karpenter.sh/capacity-type is the only key of it that may be used; use a label of your own domain, such as example.com/team",
};

export const NOT_THE_POOL: KeyRule = {
  cel: (key) => `${key} != "karpenter.sh/nodepool"`,
  message: 'label "karpenter.sh/nodepool" is restricted',
  test: (key) => key !== "karpenter.sh/nodepool",
  hint: "Karpenter sets it itself",
};

export const NOT_THE_HOST: KeyRule = {
  cel: (key) => `${key} != "kubernetes.io/hostname"`,
  message: 'label "kubernetes.io/hostname" is restricted',
  test: (key) => key !== "kubernetes.io/hostname",
  hint: "a pool cannot choose the names of its nodes",
};

export const AWS_DOMAIN = "karpenter.k8s.aws";

/** @param allowed keys of the domain that may be used */
export function ofAws(allowed: readonly string[]): KeyRule {
  const names = allowed.map((key) => key.slice(AWS_DOMAIN.length + 1));
  const meant = (key: string): string | undefined => {
    const name = key.slice(key.indexOf("/") + 1);
    return names.find((one) => one === `instance-${name}`) ?? nearestWord(name, names, 3);
  };
  return {
    cel: (key) => `${key} in ${JSON.stringify(allowed)} || !${key}.find("^([^/]+)").endsWith("${AWS_DOMAIN}")`,
    message: `label domain "${AWS_DOMAIN}" is restricted`,
    test: (key) => allowed.includes(key) || !domainEndsWith(key, AWS_DOMAIN),
    hint: (key) => {
      const nearest = meant(key);
      return nearest === undefined
        ? `keys of it that may be used: ${names.join(", ")}`
        : `did you mean ${AWS_DOMAIN}/${nearest}?`;
    },
  };
}
