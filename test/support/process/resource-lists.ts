/** Files of a package as the ResourceList that a host passes to a function. */

export interface Result {
  readonly message: string;
  readonly severity: string;
}

export interface ResourceListValue {
  readonly items: readonly {
    readonly kind: string;
    readonly metadata: {
      readonly name: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    };
  }[];
  readonly results?: readonly Result[];
}

/** Each document of each file is an item, with the annotations of kpt. */
export function listOf(files: Readonly<Record<string, string>>): string {
  let id = 0;
  const items = Object.entries(files).flatMap(([path, text]) =>
    text.split(/^---\n/m).map((document, index) => {
      id += 1;
      const annotations = {
        "config.kubernetes.io/index": index,
        "config.kubernetes.io/path": path,
        "internal.config.kubernetes.io/index": index,
        "internal.config.kubernetes.io/path": path,
        "internal.config.kubernetes.io/id": id,
        "config.k8s.io/id": id,
      };
      const written = Object.entries(annotations).map(([name, value]) => `${name}: '${value}'`);
      const annotated = document
        .replace(/^metadata: \{(.*)\}$/m, (_line, rest: string) =>
          rest.includes("annotations: {")
            ? `metadata: {${rest.replace("annotations: {", `annotations: {${written.join(", ")}, `)}}`
            : `metadata: {${rest}, annotations: {${written.join(", ")}}}`,
        )
        .replace(/^metadata:\n/m, (line) =>
          /^ {2}annotations:/m.test(document) ? line : `${line}  annotations: {${written.join(", ")}}\n`,
        )
        .replace(/^ {2}annotations: \{(?!config)/m, (start) => `${start}${written.join(", ")}, `);
      return `- ${annotated.trimEnd().replaceAll("\n", "\n  ")}\n`;
    }),
  );
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:${items.length === 0 ? " []" : ""}\n${items.join("")}`;
}
