/** What the API server of one fake guest cluster keeps: objects in, versions, pages and events out. */
import { randomUUID } from "node:crypto";

export type GuestObject = Readonly<Record<string, unknown>> & {
  readonly metadata: Readonly<Record<string, unknown>>;
};

interface GuestEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: GuestObject;
  readonly version: number;
}

interface GuestPage {
  readonly items: readonly GuestObject[];
  /** Empty on the last one. */
  readonly resume: string;
  readonly version: string;
}

export interface GuestObjects {
  readonly get: (collection: string, name: string) => GuestObject | undefined;
  readonly all: (collection: string) => readonly GuestObject[];
  readonly page: (collection: string, limit: number, resume: string) => GuestPage;
  /** Where an object of that name is, it becomes this one. */
  readonly put: (collection: string, object: GuestObject) => GuestObject;
  readonly remove: (collection: string, name: string) => GuestObject | undefined;
  readonly version: () => string;
  /** Undefined where so long ago is forgotten. */
  readonly since: (collection: string, version: string) => readonly GuestEvent[] | undefined;
  /** Out comes what ends it. */
  readonly follow: (collection: string, told: (event: GuestEvent) => void) => () => void;
}

/** Of a collection: who asks for more has to list. */
const REMEMBERED = 100;

interface Kept {
  readonly objects: Map<string, GuestObject>;
  readonly events: GuestEvent[];
  readonly followers: Set<(event: GuestEvent) => void>;
  /** Of the last event that is not known any more. */
  forgotten: number;
}

export function guestObjects(): GuestObjects {
  const collections = new Map<string, Kept>();
  let version = 1;

  const of = (collection: string): Kept => {
    const known = collections.get(collection);
    if (known !== undefined) return known;
    const made = { objects: new Map(), events: [], followers: new Set<never>(), forgotten: 0 };
    collections.set(collection, made);
    return made;
  };
  const tell = (kept: Kept, type: GuestEvent["type"], object: GuestObject): void => {
    const event = { type, object, version };
    kept.events.push(event);
    if (kept.events.length > REMEMBERED) kept.forgotten = kept.events.shift()!.version;
    for (const told of kept.followers) told(event);
  };

  return {
    get: (collection, name) => of(collection).objects.get(name),
    all: (collection) => [...of(collection).objects.values()],
    page: (collection, limit, resume) => {
      const { objects } = of(collection);
      const names = [...objects.keys()];
      if (limit < names.length) names.sort();
      const start = resume === "" ? 0 : names.findIndex((name) => name > resume);
      const chosen = start < 0 ? [] : names.slice(start, start + limit);
      const isLast = start < 0 || start + limit >= names.length;
      return {
        items: chosen.map((name) => objects.get(name)!),
        resume: isLast ? "" : chosen.at(-1)!,
        version: String(version),
      };
    },
    put: (collection, object) => {
      const kept = of(collection);
      const name = String(object.metadata["name"]);
      const before = kept.objects.get(name);
      const isSame = JSON.stringify(before?.["spec"]) === JSON.stringify(object["spec"]);
      const made = {
        ...object,
        metadata: {
          creationTimestamp: before?.metadata["creationTimestamp"] ?? new Date().toISOString(),
          ...object.metadata,
          uid: before?.metadata["uid"] ?? randomUUID(),
          generation: Number(before?.metadata["generation"] ?? 0) + (isSame ? 0 : 1),
          resourceVersion: String(++version),
        },
      };
      kept.objects.set(name, made);
      tell(kept, before === undefined ? "ADDED" : "MODIFIED", made);
      return made;
    },
    remove: (collection, name) => {
      const kept = of(collection);
      const there = kept.objects.get(name);
      if (there === undefined) return undefined;
      kept.objects.delete(name);
      const gone = { ...there, metadata: { ...there.metadata, resourceVersion: String(++version) } };
      tell(kept, "DELETED", gone);
      return gone;
    },
    version: () => String(version),
    since: (collection, from) => {
      const { events, forgotten } = of(collection);
      return Number(from) < forgotten ? undefined : events.filter((event) => event.version > Number(from));
    },
    follow: (collection, told) => {
      const { followers } = of(collection);
      followers.add(told);
      return () => followers.delete(told);
    },
  };
}
