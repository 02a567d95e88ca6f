/** The places of the entries of a document in plain style: all are recorded, few are needed. */

/**
 * Three numbers for each entry of a mapping and each item of a list in block style, in the order of the text: its
 * depth, counted from 1, and the offsets of its key and its value in the document. The value's offset of a mapping or
 * list is that of its first key or dash.
 */
export type Outline = readonly number[];

/** The offset of an item's key, and of a value that is not written down. */
export const NOWHERE = -1;

export const [DEPTH, KEY, VALUE, ENTRY_SIZE] = [0, 1, 2, 3] as const;
