/** Returns a remainder that is never negative: times before 1970 are valid. */
export function modulo(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
