/** A share from 0 to 1 as a bar of block characters with a fixed width. */

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Any share above 0 is visible; only a share of 1 fills the bar. */
export function shareBar(share: number, width: number): string {
  const all = width * 8;
  const eighths = share <= 0 ? 0 : share >= 1 ? all : Math.min(all - 1, Math.max(1, Math.round(share * all)));
  const full = Math.floor(eighths / 8);
  return `${"█".repeat(full)}${EIGHTHS[eighths % 8]!}`.padEnd(width, "░");
}
