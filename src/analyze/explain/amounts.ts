/** Formats amounts of resources as `64Gi of memory` and as quantities, and lists of texts. */
import { withoutEnding } from "../../krm/values/without-ending.ts";

const ONE = 10n ** 9n;
const BINARY = ["Ei", "Pi", "Ti", "Gi", "Mi", "Ki"].map((unit, index) => ({ unit, size: 1024n ** BigInt(6 - index) }));

const FINE = ["", "m", "u", "n"].map((unit, index) => ({ unit, size: 1000n ** BigInt(3 - index) }));

/** For display: at most three decimal places, rounded down, so that the text never promises more than there is. */
export function amountText(resource: string, nano: bigint): string {
  if (resource === "cpu") return `${decimal(nano, ONE)} CPU${nano === ONE ? "" : "s"}`;
  if (resource === "pods") return `${decimal(nano, ONE)} pod${nano === ONE ? "" : "s"}`;
  if (isBytes(resource)) return `${bytes(nano)} of ${resource}`;
  return `${decimal(nano, ONE)} ${resource}`;
}

/** The number alone, as in `has 15.89`. */
export function numberText(resource: string, nano: bigint): string {
  return isBytes(resource) ? bytes(nano) : decimal(nano, ONE);
}

/** For programs: exact, `500m`, `64Gi`, `1`. */
export function quantityText(resource: string, nano: bigint): string {
  const fine = FINE.find(({ size }) => nano % size === 0n)!;
  if (fine.size !== ONE) return `${String(nano / fine.size)}${fine.unit}`;
  const whole = nano / ONE;
  const binary = isBytes(resource) ? BINARY.find(({ size }) => whole !== 0n && whole % size === 0n) : undefined;
  return binary === undefined ? String(whole) : `${String(whole / binary.size)}${binary.unit}`;
}

function isBytes(resource: string): boolean {
  return resource === "memory" || resource === "ephemeral-storage" || resource.startsWith("hugepages-");
}

function bytes(nano: bigint): string {
  const found = BINARY.find(({ size }) => nano >= size * ONE);
  return found === undefined ? decimal(nano, ONE) : `${decimal(nano, found.size * ONE)}${found.unit}`;
}

function decimal(nano: bigint, unit: bigint): string {
  const thousandths = (nano * 1000n) / unit;
  // A tiny amount must not look like 0.
  if (thousandths === 0n && nano > 0n) return "less than 0.001";
  const fraction = withoutEnding(String(thousandths % 1000n).padStart(3, "0"), "0");
  return `${String(thousandths / 1000n)}${fraction === "" ? "" : `.${fraction}`}`;
}

export function and(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)!}`;
}
