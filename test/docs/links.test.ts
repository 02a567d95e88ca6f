/** Links between the pages: each that names a heading leads to one. */
import { posix } from "node:path";
import { expect, it } from "vitest";
import { pages, readPage } from "./page.ts";

it.each(pages())("%s", (page) => {
  const links = [...readPage(page).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)].map(([, path = "", heading = ""]) => ({
    target: path === "" ? page : posix.join(posix.dirname(page), path),
    heading,
  }));
  const broken = links.filter(({ target, heading }) => !pages().includes(target) || !headings(target).has(heading));
  expect(broken).toStrictEqual([]);
});

/** As GitHub makes anchors of headings. */
function headings(page: string): Set<string> {
  const titles = [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}
