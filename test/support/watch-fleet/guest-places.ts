/** Where the API server of a guest cluster keeps what a pass is made of. */
export const WRAPPERS = "/apis/karpenter.hypershift.openshift.io/v1beta1/openshiftnodepools";
export const CLASSES = "/apis/karpenter.hypershift.openshift.io/v1/openshiftec2nodeclasses";
export const POOLS = "/apis/karpenter.sh/v1/nodepools";
export const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
