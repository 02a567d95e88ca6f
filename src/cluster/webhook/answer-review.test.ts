/** NodePools for conversions are read once for many requests, and again if one is missing. */
import { beforeEach, describe, expect, it } from "vitest";
import { type Answer, failed, succeeded, unreachable } from "../api/api-answer.ts";
import type { Listed } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { type PoolReader, poolReader } from "./answer-review.ts";

describe("pools are read", () => {
  let there: string[];
  let lists: number;
  let time: number;
  let reachable: boolean;
  let read: PoolReader;

  beforeEach(() => {
    [there, lists, time, reachable] = [["web"], 0, 0, true];
    const list = async (): Promise<Answer<Listed>> => {
      lists += 1;
      const items = there.map((name) => ({ metadata: { name } }) as LiveObject);
      await Promise.resolve();
      return reachable ? succeeded({ items, resourceVersion: "1" }) : failed(unreachable("away"));
    };
    read = poolReader({ list }, () => time);
  });

  const names = async (...asked: string[]): Promise<unknown> => {
    const answer = await read(asked);
    return answer.ok ? [...answer.value.keys()] : answer.error.message;
  };

  it("once for all requests at the same time, and for two seconds", async () => {
    await Promise.all(Array.from({ length: 50 }, () => names("web")));
    time = 2000;
    await names("web");
    expect(lists).toBe(1);
    time = 2001;
    await names("web");
    expect(lists).toBe(2);
  });

  it("again if one is missing, because it may be new", async () => {
    expect(await names("web")).toStrictEqual(["web"]);
    there.push("batch");
    expect(await names("batch")).toStrictEqual(["web", "batch"]);
    expect(lists).toBe(2);
  });

  it("again if one is missing in a list that began before the request", async () => {
    const before = names("web");
    there.push("batch");
    expect(await names("batch")).toStrictEqual(["web", "batch"]);
    await before;
    expect(lists).toBe(2);
  });

  it("only once more if there is no such pool", async () => {
    expect(await Promise.all([names("lost"), names("lost")])).toStrictEqual([["web"], ["web"]]);
    expect(lists).toBe(2);
  });

  it("again after a failure, which is not cached", async () => {
    reachable = false;
    expect(await names("web")).toBe("away");
    reachable = true;
    expect(await names("web")).toStrictEqual(["web"]);
  });
});
