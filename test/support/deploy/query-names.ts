/** Names in a PromQL query: which metrics it asks for, and which labels it uses of them. */

export interface QueryNames {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
}

const WORDS = new Set(["by", "without", "on", "ignoring", "group_left", "group_right", "and", "or", "unless", "bool"]);

/** A word that stands before `(` is a function or an aggregation, or begins a list of labels. */
export function namesIn(query: string): QueryNames {
  const labels: string[] = [];
  const rest = query
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\{([^}]*)\}/g, (_, matchers: string) => {
      labels.push(...[...matchers.matchAll(/(\w+)\s*(?:!~|=~|!=|=)/g)].map(([, name = ""]) => name));
      return "";
    })
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_, list: string) => {
      labels.push(...list.split(",").flatMap((name) => name.trim() || []));
      return "";
    });
  const metrics = [...rest.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.has(name));
  return { metrics: [...new Set(metrics)], labels: [...new Set(labels)] };
}
