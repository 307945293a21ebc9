/*
 * Numbers from 0 on in 16 bits: the last 7 bits of the exponent of a 32-bit float and the first 9 of its fraction.
 * Domain: 0, and 2⁻⁶³ to 2⁶⁴; less is 0, more the largest. Error: 2⁻¹⁰ of the value, 0.1%.
 */

const FRACTION_BITS = 9;
const DROPPED_BITS = 23 - FRACTION_BITS;
/** Of the least exponent, 2⁻⁶³, among those of 32-bit floats; 0 stands for zero. */
const FIRST = (127 - 63) << FRACTION_BITS;
const LARGEST = 0xffff;

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

export function encodeHalf(value: number): number {
  float[0] = value;
  const rounded = ((bits[0] as number) + (1 << (DROPPED_BITS - 1))) >>> DROPPED_BITS; // it has one
  return Math.min(LARGEST, Math.max(0, rounded - FIRST));
}

export function decodeHalf(code: number): number {
  bits[0] = code === 0 ? 0 : (code + FIRST) << DROPPED_BITS;
  return float[0] as number; // it has one
}

export function readHalf(bytes: Uint8Array, at: number): number {
  return decodeHalf((bytes[at] as number) | ((bytes[at + 1] as number) << 8)); // both lie within
}

export function writeHalf(bytes: Uint8Array, at: number, value: number): void {
  const code = encodeHalf(value);
  bytes[at] = code & 0xff;
  bytes[at + 1] = code >> 8;
}
