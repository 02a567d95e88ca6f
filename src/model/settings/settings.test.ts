/** Addresses to listen on, valid ones with and without a host, and invalid ones. */
import { expect, test } from "vitest";
import { parseListenAddress } from "./settings.ts";

test.each([
  ["127.0.0.1:8080", "127.0.0.1", 8080],
  [":8080", undefined, 8080],
  ["[::1]:8080", "::1", 8080],
  ["localhost:0", "localhost", 0],
  ["my-host.example:65535", "my-host.example", 65_535],
])("%s", (text, host, port) => {
  expect(parseListenAddress(text)).toEqual({ host, port });
});

test.each(["8080", "127.0.0.1", ":65536", "::1:8080", "http://127.0.0.1:8080", "a b:1", ":", ""])(
  "%j is not an address",
  (text) => {
    expect(parseListenAddress(text)).toBeUndefined();
  },
);
