/** Advice on common mistakes in the setup of the Argo CD plugin. */

export interface PluginFacts {
  /** Undefined on systems without user ids. */
  readonly userId: number | undefined;
  readonly home: PluginFolder | undefined;
  readonly temporary: PluginFolder;
  readonly policyDir: string | undefined;
  readonly hasPolicy: boolean;
  readonly requirePolicy: boolean;
  readonly wrappers: number;
  /** Files with an AutoNodePolicy in the repository that are not read. */
  readonly policiesElsewhere: readonly string[];
  /** The file by which discovery detects another tool. */
  readonly otherTool: string | undefined;
}

interface PluginFolder {
  readonly path: string;
  readonly writable: boolean;
}

/** The user of Argo CD, which shares the socket of the plugin. */
const ARGO_CD_USER = 999;

export function pluginAdvice(facts: PluginFacts): readonly string[] {
  const { userId, home, temporary, policyDir, hasPolicy, requirePolicy, wrappers, policiesElsewhere, otherTool } =
    facts;
  const [elsewhere] = policiesElsewhere;
  const folder = elsewhere?.replace(/\/[^/]*$/, "");
  const mistakes: readonly (readonly [boolean, string])[] = [
    [
      wrappers === 0,
      "no wrapper is read: check the Application's path and the parameter paths; generate fails, so Argo CD prunes nothing",
    ],
    [
      !hasPolicy && elsewhere !== undefined,
      `no policy was read, and ${elsewhere} holds one: give the parameter policy-dir ${folder}`,
    ],
    [
      !hasPolicy && !requirePolicy && elsewhere === undefined,
      "no policy was read: users may ask for anything; require-policy makes that an error",
    ],
    [
      policyDir?.startsWith("..") === true,
      `policy-dir ${policyDir} is outside the Application's path: if the Application has the annotation argocd.argoproj.io/manifest-generate-paths, that must include the folder`,
    ],
    [
      otherTool !== undefined,
      `discovery skips this folder, because ${otherTool} belongs to another tool: name the plugin in the Application`,
    ],
    [
      userId !== undefined && userId !== ARGO_CD_USER,
      `the user is ${userId}: a sidecar of argocd-repo-server needs runAsUser: ${ARGO_CD_USER}`,
    ],
    [
      !temporary.writable,
      `${temporary.path} is not writable: argocd-cmp-server unpacks the repository there, mount an emptyDir of its own`,
    ],
    [
      home?.writable === false,
      `HOME ${home?.path} is not writable: anp does not need it, but other programs of the sidecar may`,
    ],
  ];
  return mistakes.flatMap(([applies, advice]) => (applies ? [advice] : []));
}
