import { randomFillSync } from 'node:crypto';

/**
 * Identifiers are UUIDv7 (RFC 9562): 48 bits of milliseconds, then randomness, so that their order is the
 * order of time. Outside the database they are written as a TypeID: a prefix, `_`, and the 128 bits as 26
 * lowercase Crockford base32 characters (https://github.com/jetify-com/typeid, specification 0.3).
 */
export type IdPrefix =
  | 'usr'
  | 'org'
  | 'proj'
  | 'key'
  | 'hook'
  | 'evt'
  | 'inc'
  | 'job'
  | 'tle'
  | 'aud'
  | 'dec'
  | 'ntc'
  | 'ses'
  | 'grp'
  | 'grh'
  | 'dpl'
  | 'tok'
  | 'inv'
  | 'sch'
  | 'chk'
  | 'ntg'
  | 'nrt'
  | 'dlv'
  | 'sil'
  | 'brw'
  | 'ers';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ENCODED_LENGTH = 26;
const MAX_TIME_MS = 2 ** 48 - 1;

/** Value of each base32 character by its code, 255 for others. */
const DECODE = new Uint8Array(128).fill(255);
for (let value = 0; value < ALPHABET.length; value++) DECODE[ALPHABET.charCodeAt(value)] = value;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Random bytes are drawn in blocks: one call into the crypto library serves many ids. */
const randomBlock = Buffer.alloc(8 * 512);
let randomOffset = randomBlock.length;

let lastTimeMs = -1;
let sequence = 0;

/**
 * A new UUIDv7 for a time in milliseconds. Ids that one process makes within the same millisecond keep the
 * order in which they were made: the 12 bits after the version count up.
 */
export function newUuid(timeMs: number): string {
  if (randomOffset === randomBlock.length) {
    randomFillSync(randomBlock);
    randomOffset = 0;
  }
  const random = randomOffset;
  randomOffset += 8;

  sequence = timeMs === lastTimeMs ? (sequence + 1) & 0xfff : 0;
  lastTimeMs = timeMs;

  const high = Math.floor(timeMs / 0x10000);
  const low = timeMs & 0xffff;
  return (
    hex(high >>> 24) +
    hex(high >>> 16) +
    hex(high >>> 8) +
    hex(high) +
    '-' +
    hex(low >>> 8) +
    hex(low) +
    '-' +
    hex(0x70 | (sequence >>> 8)) +
    hex(sequence) +
    '-' +
    hex(0x80 | (byteAt(random) & 0x3f)) +
    hex(byteAt(random + 1)) +
    '-' +
    hex(byteAt(random + 2)) +
    hex(byteAt(random + 3)) +
    hex(byteAt(random + 4)) +
    hex(byteAt(random + 5)) +
    hex(byteAt(random + 6)) +
    hex(byteAt(random + 7))
  );
}

/** The smallest UUID of a millisecond: `id >= uuidLowerBound(t)` holds for exactly the ids of `t` or later. */
export function uuidLowerBound(timeMs: number): string {
  const digits = Math.min(Math.max(timeMs, 0), MAX_TIME_MS).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** The milliseconds in the first 48 bits of a UUIDv7. */
export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** `('evt', '0190…')` → `evt_01j…`. */
export function toId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${encodeUuid(uuid)}`;
}

/** The UUID within an id, or null if the text is no id of that prefix: for a caller it is then just unknown. */
export function toUuid(prefix: IdPrefix, id: string): string | null {
  if (!id.startsWith(`${prefix}_`)) return null;
  return decodeUuid(id.slice(prefix.length + 1));
}

function encodeUuid(uuid: string): string {
  const digits =
    uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);
  // 26 characters hold 130 bits: the first two digits and two leading zero bits are the first two characters.
  const first = Number.parseInt(digits.slice(0, 2), 16);
  return (
    ALPHABET.charAt(first >>> 5) +
    ALPHABET.charAt(first & 31) +
    encodeTwenty(digits.slice(2, 7)) +
    encodeTwenty(digits.slice(7, 12)) +
    encodeTwenty(digits.slice(12, 17)) +
    encodeTwenty(digits.slice(17, 22)) +
    encodeTwenty(digits.slice(22, 27)) +
    encodeTwenty(digits.slice(27, 32))
  );
}

/** Five hex digits, which are 20 bits, as four characters. */
function encodeTwenty(digits: string): string {
  const bits = Number.parseInt(digits, 16);
  return (
    ALPHABET.charAt(bits >>> 15) +
    ALPHABET.charAt((bits >>> 10) & 31) +
    ALPHABET.charAt((bits >>> 5) & 31) +
    ALPHABET.charAt(bits & 31)
  );
}

export function decodeUuid(text: string): string | null {
  // The first character holds three bits only: beyond '7' the number exceeds 128 bits.
  if (text.length !== ENCODED_LENGTH || text.charAt(0) > '7') return null;
  let digits = '';
  let pending = 0;
  let pendingBits = -2;
  for (let index = 0; index < ENCODED_LENGTH; index++) {
    const value = DECODE[text.charCodeAt(index)] ?? 255;
    if (value === 255) return null;
    pending = ((pending << 5) | value) & 0xfff;
    pendingBits += 5;
    while (pendingBits >= 4) {
      pendingBits -= 4;
      digits += ((pending >>> pendingBits) & 15).toString(16);
    }
  }
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-');
}

function hex(value: number): string {
  return HEX[value & 0xff] ?? '';
}

function byteAt(index: number): number {
  return randomBlock[index] ?? 0;
}
