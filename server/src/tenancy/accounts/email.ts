/**
 * The form in which an address is unique: trimmed, in lower case, composed (é is one character). Composed
 * last: of some letters only the small form has a composed one.
 */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase().normalize('NFC');
}
