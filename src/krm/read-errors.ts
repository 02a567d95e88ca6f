/** Messages and hints for the errors of reading a path. */
import type { Words } from "./finding.ts";

export const IS_FOLDER: Words = { message: "is a directory, and a file is needed here" };
export const IS_MISSING: Words = { message: "does not exist", hint: "check the path; a link may lead to nothing" };
export const LEADS_BACK: Words = { message: "is a link that leads back to itself" };

export function readError({ code, message }: Error & { code?: string | undefined }, path: string): Words {
  switch (code) {
    case "ENOENT":
      return path.includes("\ufffd") ? { message: "has a name that is not UTF-8", hint: "rename it" } : IS_MISSING;
    case "EACCES":
    case "EPERM":
      return {
        message: "may not be read: permission denied",
        hint: "give the user that runs anp permission to read it",
      };
    case "ELOOP":
      return LEADS_BACK;
    case "EISDIR":
      return IS_FOLDER;
    case "ENOTDIR":
      return { message: "does not exist: a part of the path is a file, not a directory" };
    default:
      return { message: `cannot be read: ${code ?? message}` };
  }
}
