/** Queries of live clusters other than a watch: what commands load with one `import()`. */
export { contextName, contextNames } from "../api/kube-access.ts";
export { collectedFields } from "../read/collected-fields.ts";
export { readLiveDump } from "../read/live-dump.ts";
export { readLiveRawSide } from "../read/live-raw-side.ts";
export { askCluster, readLiveSide } from "../read/live-side.ts";
export { planTouch, touch } from "../guard/touch.ts";
export { shutdownSignal } from "../waiting/pause.ts";
