/** Explained clusters as a page. Loaded on demand, with the code for pictures. */
import type { ExplainedCluster } from "../../analyze/explain/explain.ts";
import type { DescribedPool } from "../../analyze/explain/pool-answer.ts";
import type { ExplainedAnswer } from "../../report/html/pictures.ts";

type PageParts = Omit<ExplainedAnswer, "pictures" | "findingsFirst"> & Partial<Pick<ExplainedAnswer, "findingsFirst">>;

/** The SVG of one pool, the only one that is asked for. Undefined if no instance types of it are known. */
export async function drawPool(
  clusters: readonly ExplainedCluster[],
  pool: DescribedPool,
  isAsked: (pool: { readonly name: string }) => boolean,
): Promise<string | undefined> {
  const [{ explainedPictures }, { poolImage }] = await Promise.all([
    import("../../analyze/pictures/explained-pictures.ts"),
    import("../../report/html/pictures.ts"),
  ]);
  return poolImage(pool, explainedPictures(clusters, isAsked));
}

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
    findingsFirst: false,
    ...parts,
    pictures: explainedPictures(clusters, isAsked),
  });
}
