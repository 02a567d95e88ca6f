/** The list of images: what each starts, and as which user. */

export interface Image {
  readonly name: string;
  readonly title: string;
  /** The number of the user and of its group. */
  readonly user: number;
  readonly entrypoint: readonly string[];
  /** Files of the repository by their path in the image; they belong to the user. */
  readonly files: Readonly<Record<string, string>>;
  /** Empty folders that belong to the user. */
  readonly folders: readonly string[];
}

const ANP = "/usr/bin/anp";
const CMP_SERVER = "/home/argocd/cmp-server";

export const IMAGES: readonly Image[] = [
  { name: "anp", title: "anp", user: 65_532, entrypoint: [ANP], files: {}, folders: [] },
  {
    name: "anp-fn",
    title: "anp as a KRM function",
    user: 65_532,
    entrypoint: [ANP, "fn"],
    files: {},
    folders: [],
  },
  {
    // Argo CD's own containers have that user, and put the server there.
    name: "anp-cmp",
    title: "anp as a config-management plugin of Argo CD",
    user: 999,
    entrypoint: ["/var/run/argocd/argocd-cmp-server"],
    files: { [`${CMP_SERVER}/config/plugin.yaml`]: "integrations/argocd/plugin.yaml" },
    folders: [`${CMP_SERVER}/plugins`],
  },
];
