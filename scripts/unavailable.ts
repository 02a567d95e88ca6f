/** The reason why something cannot be built on this machine, shown without a stack trace. */
export class Unavailable extends Error {}
