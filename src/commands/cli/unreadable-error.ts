/** A file that an option names cannot be read or understood: exit code 3, and one line on why. */
export class UnreadableError extends Error {
  /** @param file as the user named it */
  constructor(file: string, message: string, hint?: string) {
    super(`${file} ${message}${hint === undefined ? "" : `\n  help: ${hint}`}`);
  }
}
