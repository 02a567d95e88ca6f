/** Rows of instance types for a table, sorted by family and size. */
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import type { TypePrices } from "../../karpenter/catalogue/type-prices.ts";
import { type MoneyUnit, moneyWords } from "../../model/values/money.ts";
import { indexesOf, type TypeMask } from "../../karpenter/catalogue/type-mask.ts";
import { valuesOf } from "../../karpenter/catalogue/type-filter.ts";

/** Text for each column; NONE if an instance type has none, undefined if the catalogue has it for no type. */
export interface InstanceTypeRow {
  readonly name: string;
  readonly arch: string | undefined;
  readonly vcpu: string | undefined;
  readonly memory: string | undefined;
  /** Per hour, on demand. */
  readonly price: string | undefined;
  readonly spotPrice: string | undefined;
  readonly accelerators: string | undefined;
  readonly network: string | undefined;
  readonly disk: string | undefined;
  readonly cpuManufacturer: string | undefined;
  readonly ebs: string | undefined;
  readonly hypervisor: string | undefined;
  readonly allocatableCpu: string | undefined;
  readonly allocatableMemory: string | undefined;
  readonly pods: string | undefined;
  readonly capacityTypes: string | undefined;
  readonly zones: string | undefined;
}

const NONE = "-";

interface ListedPrices extends TypePrices {
  readonly unit: MoneyUnit;
}

const NO_PRICES: ListedPrices = { onDemand: new Map(), spot: new Map(), unit: { currency: "USD" } };

/** By family, then from small to large: vCPUs, memory, name; numbers in names count as numbers. */
export function listInstanceTypes(
  catalogue: Catalogue,
  types: TypeMask,
  prices: ListedPrices = NO_PRICES,
): InstanceTypeRow[] {
  const size = (type: number, label: string): number => Number(valuesOf(catalogue, type, aws(label))[0] ?? 0);
  const family = (type: number): string => valuesOf(catalogue, type, aws("family"))[0] ?? "";
  const order = (a: number, b: number): number =>
    natural(family(a), family(b)) ||
    size(a, "cpu") - size(b, "cpu") ||
    size(a, "memory") - size(b, "memory") ||
    natural(catalogue.names[a]!, catalogue.names[b]!);
  return indexesOf(types)
    .toSorted(order)
    .map((type) => row(catalogue, type, prices));
}

function row(catalogue: Catalogue, type: number, { onDemand, spot, unit }: ListedPrices): InstanceTypeRow {
  const label = (key: string, format: (value: string) => string = String): string | undefined => {
    if (!catalogue.labels.has(key)) return undefined;
    return valuesOf(catalogue, type, key).map(format).filter(Boolean).join(",") || NONE;
  };
  const resource = (name: string): string | undefined => {
    const amounts = catalogue.allocatable.get(name);
    return amounts && (amounts[type] ?? NONE);
  };
  const name = catalogue.names[type]!;
  const price = (prices: TypePrices["spot"]): string | undefined => {
    const amount = prices.get(name);
    return amount === undefined ? (prices.size === 0 ? undefined : NONE) : moneyWords(amount, unit);
  };
  return {
    name,
    arch: label("kubernetes.io/arch"),
    vcpu: label(aws("cpu")),
    memory: label(aws("memory"), gibibytes),
    price: price(onDemand),
    spotPrice: price(spot),
    accelerators: accelerators(label),
    network: label(aws("network-bandwidth"), gigabits),
    disk: label(aws("local-nvme"), (gigabytes) => `${gigabytes} GB`),
    cpuManufacturer: label(aws("cpu-manufacturer")),
    ebs: label(aws("ebs-bandwidth"), gigabits),
    hypervisor: label(aws("hypervisor")),
    allocatableCpu: resource("cpu"),
    allocatableMemory: resource("memory"),
    pods: resource("pods"),
    capacityTypes: label("karpenter.sh/capacity-type"),
    zones: label("topology.kubernetes.io/zone") ?? label("topology.k8s.aws/zone-id"),
  };
}

function aws(label: string): string {
  return `karpenter.k8s.aws/instance-${label}`;
}

/** Such as `8 nvidia h100`. EC2 reports a count of 0 for a fraction of one. */
function accelerators(label: (key: string) => string | undefined): string | undefined {
  const kinds = ["gpu", "accelerator"].map((kind) =>
    ["count", "manufacturer", "name"].map((part) => label(aws(`${kind}-${part}`))),
  );
  if (kinds.flat().every((part) => part === undefined)) return undefined;
  const found = kinds
    .filter(([count]) => count !== undefined && count !== NONE)
    .map(([count, maker, name]) => {
      // Such as `qualcomm qualcomm-ai100`.
      const named = name?.startsWith(`${maker}-`) === true ? name : `${maker} ${name}`;
      return `${count} ${named}`;
    });
  return found.join(", ") || NONE;
}

function gibibytes(mebibytes: string): string {
  return `${rounded(Number(mebibytes) / 1024)} GiB`;
}

function gigabits(megabits: string): string {
  return `${rounded(Number(megabits) / 1000)} Gbps`;
}

function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}

/** Order of names in which c5 comes before c10. */
function natural(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)];
  for (const [place, part] of left.entries()) {
    const other = right[place];
    if (other === undefined) return 1;
    if (part === other) continue;
    const difference = Number(part) - Number(other);
    if (!Number.isNaN(difference) && difference !== 0) return difference;
    return part < other ? -1 : 1;
  }
  return left.length - right.length;
}

function parts(text: string): string[] {
  return text.match(/\d+|\D+/g) ?? [];
}
