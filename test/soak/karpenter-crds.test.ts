/** Our CRDs of Karpenter's kinds beside those of the versions that no test runs controllers of. */
import { judgeKarpenterCrds } from "../e2e/judge-karpenter-crds.ts";

judgeKarpenterCrds("hypershift", "karpenter-1.15");
