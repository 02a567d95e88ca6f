/** Reads the record of Karpenter's own tests. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { RecordedType, Start } from "./round.ts";

interface TypeList {
  readonly id: string;
  readonly types: readonly RecordedType[];
}

type Written<T extends Start> = Omit<T, "typesOf"> & { readonly typesOf: Readonly<Record<string, string>> };

/** The label of reservations is that of a provider that anp knows. */
const RESERVATION_ID = ["karpenter.test.sh/reservation-id", "karpenter.k8s.aws/capacity-reservation-id"] as const;

/** One at a time, since they are large. */
export async function* readRounds<T extends Start>(path: string): AsyncGenerator<T> {
  const lists = new Map<string, readonly RecordedType[]>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const read = JSON.parse(line.replaceAll(...RESERVATION_ID)) as TypeList | Written<T>;
    if ("id" in read) lists.set(read.id, read.types);
    else {
      const typesOf = Object.fromEntries(Object.entries(read.typesOf).map(([pool, id]) => [pool, lists.get(id)!]));
      yield { ...read, typesOf } as unknown as T;
    }
  }
}
