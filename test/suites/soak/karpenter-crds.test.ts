/** Our CRDs of Karpenter's kinds beside its own, for every profile. */
import { judgeKarpenterCrds } from "../../support/e2e/judge-karpenter-crds.ts";

judgeKarpenterCrds("hypershift", "karpenter-1.14", "karpenter-1.15");
