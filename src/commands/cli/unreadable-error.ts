/** An error for a file that an option names and anp cannot read: exit code 3 and one line. */
export class UnreadableError extends Error {
  /** @param file as the user named it */
  constructor(file: string, message: string, hint?: string) {
    super(`${file} ${message}${hint === undefined ? "" : `\n  help: ${hint}`}`);
  }
}
