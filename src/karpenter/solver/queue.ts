/** The order in which Karpenter places pods, and when it gives up. */
import type { SolverPod } from "./world.ts";

/** `byCPUAndMemoryDescending` (queue.go). */
function inQueueOrder(pods: readonly SolverPod[]): SolverPod[] {
  const amountOf = (pod: SolverPod, resource: string): bigint => pod.shape.requests.get(resource) ?? 0n;
  return pods.toSorted((a, b) => {
    for (const resource of ["cpu", "memory"]) {
      const [mine, theirs] = [amountOf(a, resource), amountOf(b, resource)];
      if (mine !== theirs) return mine > theirs ? -1 : 1;
    }
    return a.created - b.created || (a.uid < b.uid ? -1 : 1);
  });
}

/** `Queue` (queue.go): ends when all pods that are left were tried since the last one was placed. */
export class Queue {
  #pods: SolverPod[];
  #at = 0;
  readonly #lastLength = new Map<SolverPod, number>();

  constructor(pods: readonly SolverPod[]) {
    this.#pods = inQueueOrder(pods);
  }

  pop(): SolverPod | undefined {
    const pod = this.#pods[this.#at];
    if (pod === undefined || this.#lastLength.get(pod) === this.#pods.length - this.#at) return undefined;
    this.#at++;
    return pod;
  }

  push(pod: SolverPod): void {
    this.#pods.push(pod);
    this.#lastLength.set(pod, this.#pods.length - this.#at);
    if (this.#at > 1024 && this.#at * 2 > this.#pods.length) {
      this.#pods = this.#pods.slice(this.#at);
      this.#at = 0;
    }
  }
}
