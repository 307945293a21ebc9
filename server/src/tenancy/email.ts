/**
 * Normalizes an address to the form in which it is unique: trimmed, lower case, composed (NFC). Composed last: some
 * letters have a composed form in lower case only.
 */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase().normalize('NFC');
}
