import { readCursor } from '../http/pages.ts';
import { toId } from '../platform/ids.ts';

/** Sort key of the last release of a page. */
interface ReleasePlace {
  /** Sort value. */
  value: number;
  number: number;
}

/** Encodes a cursor, which has the form of an id. */
export function toReleaseCursor({ value, number }: ReleasePlace): string {
  const digits = [value, number].map((half) => half.toString(16).padStart(16, '0')).join('');
  const uuid = [0, 8, 12, 16, 20].map((from, index, all) => digits.slice(from, all[index + 1])).join('-');
  return toId('dpl', uuid);
}

/** @throws ApiError `validation_failed` */
export function readReleaseCursor(text: string | undefined): ReleasePlace | null {
  const cursor = readCursor(text);
  if (cursor === null) return null;
  const digits = cursor.replaceAll('-', '');
  const [value = 0, number = 0] = [digits.slice(0, 16), digits.slice(16)].map((half) =>
    Number.parseInt(half, 16),
  );
  // No list returns greater ones: all releases come before these.
  return {
    value: Math.min(value, Number.MAX_SAFE_INTEGER),
    number: Math.min(number, Number.MAX_SAFE_INTEGER),
  };
}
