/** A collection that is listed and watched: the reported objects, changes and failures. */
import { expect, test } from "vitest";
import { failed, succeeded, unreachable } from "../../../src/cluster/api/api-answer.ts";
import type { ClusterApi, WatchEvent } from "../../../src/cluster/api/cluster-api.ts";
import type { LiveObject } from "../../../src/cluster/api/live-object.ts";
import { SECRETS } from "../../../src/cluster/api/served-kind.ts";
import { listAndWatch } from "../../../src/cluster/discover/list-and-watch.ts";

function object(name: string, resourceVersion: string): LiveObject {
  return { ...SECRETS, metadata: { name, namespace: "n", uid: name, resourceVersion } };
}

type Lists = (readonly LiveObject[] | undefined)[];
type Watches = (readonly ([WatchEvent["type"], LiveObject] | "expired" | "broken")[])[];

/** Each list and each watch once; then the end. */
async function told(lists: Lists, watches: Watches): Promise<string[]> {
  const end = new AbortController();
  const words: string[] = [];
  const api: Pick<ClusterApi, "list" | "watch"> = {
    list: async () => {
      if (lists.length === 0) {
        end.abort();
        return failed(unreachable("over"));
      }
      const items = lists.shift();
      return items === undefined ? failed(unreachable("no answer")) : succeeded({ items, resourceVersion: "9" });
    },
    watch: async function* (_collection, { resourceVersion }) {
      words.push(`watch from ${resourceVersion}`);
      const events = watches.shift();
      if (events === undefined) return end.abort();
      for (const event of events) {
        if (event === "expired") yield failed({ ...unreachable("too old"), kind: "expired" });
        else if (event === "broken") yield failed(unreachable("cut"));
        else yield succeeded({ type: event[0], object: event[1] });
      }
    },
  };
  await listAndWatch(api, SECRETS, {
    signal: end.signal,
    random: () => 0,
    changed: ({ metadata }) => words.push(`${metadata.name} ${metadata.resourceVersion}`),
    gone: (key) => words.push(`${key} gone`),
    listed: () => words.push("listed"),
    trouble: (reason) => words.push(`trouble: ${reason}`),
  });
  return words;
}

test("a watch goes on where the one before it ended, and nothing is told twice", async () => {
  expect(
    await told(
      [[object("a", "1"), object("b", "2")]],
      [
        [
          ["MODIFIED", object("a", "10")],
          ["BOOKMARK", object("", "12")],
        ],
        [["DELETED", object("b", "13")]],
      ],
    ),
  ).toEqual(["a 1", "b 2", "listed", "watch from 9", "a 10", "watch from 12", "n/b gone", "watch from 13"]);
});

test("an object that was deleted without an event is found by a list", async () => {
  expect(
    await told(
      [
        [object("a", "1"), object("b", "2")],
        [object("b", "2"), object("c", "3")],
      ],
      [["expired"]],
    ),
  ).toEqual(["a 1", "b 2", "listed", "watch from 9", "n/a gone", "c 3", "listed", "watch from 9"]);
});

test("a list that cannot be had takes nothing away", async () => {
  expect(await told([[object("a", "1")], undefined, [object("a", "1")]], [["broken"]])).toEqual([
    "a 1",
    "listed",
    "watch from 9",
    "trouble: cut",
    "trouble: no answer",
    "listed",
    "watch from 9",
  ]);
});

test("what breaks is not followed until it is listed again", async () => {
  const end = new AbortController();
  const words: (boolean | string)[] = [];
  const lists = [succeeded({ items: [], resourceVersion: "9" }), succeeded({ items: [], resourceVersion: "10" })];
  await listAndWatch(
    {
      list: async () => {
        words.push("list");
        const answer = lists.shift();
        if (answer === undefined) end.abort();
        return answer ?? failed(unreachable("over"));
      },
      watch: async function* () {
        yield failed(unreachable("cut"));
      },
    },
    SECRETS,
    {
      signal: end.signal,
      random: () => 0,
      changed: () => undefined,
      gone: () => undefined,
      followed: (isFollowed) => words.push(isFollowed),
      trouble: () => undefined,
    },
  );
  expect(words).toEqual(["list", true, false, "list", true, false, "list"]);
});
