/** What the system says of a path that cannot be read in, what the user is told out. */

interface Told {
  readonly message: string;
  readonly hint?: string;
}

export function whyUnreadable({ code, message }: Error & { code?: string | undefined }, path: string): Told {
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

/** The bytes of a file that are no UTF-8 text. */
export function notUtf8(bytes: Buffer): Told {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const message = utf16 ? "is UTF-16, and Kubernetes manifests are UTF-8" : "holds bytes that are not UTF-8";
  return { message, hint: "save the file as UTF-8" };
}
