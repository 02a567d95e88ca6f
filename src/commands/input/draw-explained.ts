/** Explained clusters as a page. Loaded on demand, with the code for pictures. */
import type { ExplainedCluster } from "../../analyze/explain/explain.ts";
import type { ExplainedAnswer } from "../../report/html/pictures.ts";

type PageParts = Omit<ExplainedAnswer, "title" | "pictures" | "findingsFirst"> &
  Partial<Pick<ExplainedAnswer, "title" | "findingsFirst">>;

/** @param isAsked which pools are drawn */
export async function drawExplained(
  clusters: readonly ExplainedCluster[],
  parts: PageParts,
  isAsked?: (pool: { readonly name: string }) => boolean,
): Promise<string> {
  const [{ explainedPictures }, { explainPage }] = await Promise.all([
    import("../../analyze/pictures/explained-pictures.ts"),
    import("../../report/html/pictures.ts"),
  ]);
  return explainPage({
    title: "anp explain",
    findingsFirst: false,
    ...parts,
    pictures: explainedPictures(clusters, isAsked),
  });
}
