/** What the system says of a path that cannot be read in, what the user is told out. */
import type { Words } from "./finding.ts";

export function whyUnreadable({ code, message }: Error & { code?: string | undefined }, path: string): Words {
  switch (code) {
    case "ENOENT":
      return path.includes("\ufffd")
        ? { message: "has a name that is not UTF-8", hint: "rename it" }
        : { message: "does not exist", hint: "check the path; a link may lead to nothing" };
    case "EACCES":
    case "EPERM":
      return {
        message: "may not be read: permission denied",
        hint: "give the user that runs anp the right to read it",
      };
    case "ELOOP":
      return { message: "is a link that leads back to itself" };
    case "EISDIR":
      return { message: "is a directory, and a file is needed here" };
    case "ENOTDIR":
      return { message: "does not exist: a part of the path is a file, not a directory" };
    default:
      return { message: `cannot be read: ${code ?? message}` };
  }
}
