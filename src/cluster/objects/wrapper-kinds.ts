/** What is rendered from which wrapper: they have one name. */
const WRAPPER_KINDS: Readonly<Record<string, string>> = {
  NodePool: "OpenshiftNodePool",
  EC2NodeClass: "OpenshiftEC2NodeClass",
};

/** Undefined for a kind that is made of no wrapper: a guard. */
export function wrapperKindOf(kind: string): string | undefined {
  return WRAPPER_KINDS[kind];
}

/** `OpenshiftNodePool/web` of the NodePool web. */
export function wrapperIdOf(kind: string, name: string): string | undefined {
  const wrapper = wrapperKindOf(kind);
  return wrapper === undefined ? undefined : `${wrapper}/${name}`;
}
