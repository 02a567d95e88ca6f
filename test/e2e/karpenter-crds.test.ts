/** Our CRDs of Karpenter's kinds beside Karpenter's own of the version whose controllers the tests run; the other profiles are judged in test/soak. */
import { judgeKarpenterCrds } from "./judge-karpenter-crds.ts";

judgeKarpenterCrds("karpenter-1.14");
