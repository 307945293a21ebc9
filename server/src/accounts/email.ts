/** The form in which an address is unique: trimmed, composed (é is one character), in lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
