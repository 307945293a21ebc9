import { errors, jwtVerify, SignJWT } from 'jose';

export const SESSION_LIFETIME_SECONDS = 7 * 24 * 60 * 60;

/** The session cookie's JWT (HS256): it names a user and a row of `sessions`, and says nothing of rights. */
export interface SessionToken {
  userId: string;
  sessionId: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class TokenSigner {
  readonly #key: Uint8Array;

  /** @param secret at least 32 characters */
  constructor(secret: string) {
    this.#key = new TextEncoder().encode(secret);
  }

  /** @param nowMs the moment of issue; the token is valid for 7 days from then */
  sign(token: SessionToken, nowMs: number): Promise<string> {
    const issuedAt = Math.floor(nowMs / 1000);
    return new SignJWT({ sid: token.sessionId })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(token.userId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + SESSION_LIFETIME_SECONDS)
      .sign(this.#key);
  }

  /** The token's content, or null where it is forged, expired or no token at all. */
  async verify(text: string, nowMs: number): Promise<SessionToken | null> {
    try {
      const { payload } = await jwtVerify(text, this.#key, {
        algorithms: ['HS256'],
        currentDate: new Date(nowMs),
        requiredClaims: ['sub', 'iat', 'exp'],
      });
      const { sub: userId, sid: sessionId } = payload;
      // Whoever else signs with the same secret may put anything there.
      return typeof userId === 'string' && typeof sessionId === 'string' && UUID.test(sessionId)
        ? { userId, sessionId }
        : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
