import { Secret, TOTP } from 'otpauth';

/** Returns the code that an authenticator app shows at a time. */
export function totpCode(secret: string, nowMs: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: nowMs });
}
