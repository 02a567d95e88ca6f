/** Why something cannot be built on this machine: a sentence for the table, and never a stack trace. */
export class Unavailable extends Error {}
