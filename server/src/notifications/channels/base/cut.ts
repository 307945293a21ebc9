const ELLIPSIS = '…';

/**
 * Cuts to at most `max` code points, the last of them an ellipsis if something was cut; never halves a
 * surrogate pair.
 */
export function cutText(text: string, max: number): string {
  // Each code point has at most two units.
  const points = Array.from(text.slice(0, 2 * max + 2));
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}${ELLIPSIS}`;
}

/** Cuts to at most `max` bytes of UTF-8, between code points. */
export function cutBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  let bytes = Buffer.byteLength(ELLIPSIS);
  let kept = '';
  for (const point of text) {
    bytes += Buffer.byteLength(point);
    if (bytes > max) break;
    kept += point;
  }
  return `${kept}${ELLIPSIS}`;
}
