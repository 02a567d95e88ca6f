/** Resolves the path of a file that a RenderConfig names. */
import type { Resource } from "../../krm/places/resource.ts";

/** Relative to the RenderConfig, so that its authors own both; to the working directory for one from a stream. */
export function configPath({ document }: Resource, path: string): string {
  const { file } = document.source;
  const folder = file.includes("/") && !path.startsWith("/") ? file.slice(0, file.lastIndexOf("/") + 1) : "";
  return `${folder}${path}`;
}
