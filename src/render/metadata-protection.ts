/** CEL rules for the admission policies that keep an object's metadata as anp wrote it. */

interface Validation {
  readonly expression: string;
  readonly message: string;
}

const PREFIX = "anp.hypershift.openshift.io/";
const MANAGED_BY = "app.kubernetes.io/managed-by";

/**
 * The policies see all metadata but what a status request changes. Of an update, as every other request is denied.
 * Nobody takes a mark of ours away, changes one, or puts one there.
 */
export function metadataProtection(kind: string, isKarpenter: string | undefined): Validation[] {
  const message = `What anp writes into the metadata of ${kind} resources cannot be modified directly.`;
  const marks = [
    `(${at("object", "labels")}[?'${MANAGED_BY}'] == optional.of('anp')) == (${at("oldObject", "labels")}[?'${MANAGED_BY}'] == optional.of('anp'))`,
    ...["labels", "annotations"].flatMap((field) => [
      isWithin(at("object", field), at("oldObject", field)),
      isWithin(at("oldObject", field), at("object", field)),
    ]),
  ];
  const validations = [{ expression: unlessUpdate(marks.join(" && ")), message }];
  // Who Karpenter is has to be known: of a CRD with another schema the API server itself changes what it has recorded,
  // with whatever request comes first, and a finalizer that cannot be taken away holds nodes for ever
  // (sigs.k8s.io/structured-merge-diff `merge/update.go`, `reconcileManagedFieldsWithSchemaChanges`).
  if (isKarpenter !== undefined) {
    const same = `${ownedBy("object")} == ${ownedBy("oldObject")}`;
    validations.push({ expression: unlessUpdate(`${isKarpenter} || ${same}`), message });
  }
  return validations;
}

function unlessUpdate(expression: string): string {
  return `request.operation != 'UPDATE' || (${expression})`;
}

function at(side: string, field: string): string {
  return `${side}.metadata.?${field}.orValue({})`;
}

function isWithin(some: string, all: string): string {
  return `${some}.all(k, !k.startsWith('${PREFIX}') || ${all}[?k] == optional.of(${some}[k]))`;
}

function ownedBy(side: string): string {
  return `${side}.metadata.?managedFields.orValue([]).filter(m, m.?manager.orValue('') == 'anp' && m.?subresource.orValue('') == '')`;
}
