import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

export const DEVICE_LIFETIME_SECONDS = 180 * 24 * 60 * 60;
/** Maximum accounts that a browser's cookie remembers. */
const MAX_ACCOUNTS = 3;
const MAX_LENGTH = 1_024;
/** The id of the user, a random id of the device, the end in seconds since 1970, and the signature. */
const ENTRY = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.(\d{10,11})\.([\w-]{43})$/;

/**
 * The cookie of a browser with an earlier login: guesses elsewhere, however many, do not keep that browser from
 * logging in to that account again. It grants no access by itself.
 */
export class DeviceCookie {
  readonly #key: Buffer;

  /** @param secret session secret, from which a key is derived */
  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('tocsin device cookie').digest();
  }

  /** Returns the device's id if the cookie proves an earlier login of the user; else null. */
  read(cookie: string | undefined, userId: string, nowMs: number): string | null {
    return this.#entriesOf(cookie, nowMs).find((entry) => entry.userId === userId)?.deviceId ?? null;
  }

  /** Returns the cookie after a login: this user first, then the earlier ones. */
  write(cookie: string | undefined, userId: string, nowMs: number): string {
    const end = Math.floor(nowMs / 1000) + DEVICE_LIFETIME_SECONDS;
    const content = `${userId}.${randomUUID()}.${end}`;
    const others = this.#entriesOf(cookie, nowMs).filter((entry) => entry.userId !== userId);
    return [`${content}.${this.#sign(content)}`, ...others.map(({ text }) => text)]
      .slice(0, MAX_ACCOUNTS)
      .join('~');
  }

  #entriesOf(cookie = '', nowMs: number): { userId: string; deviceId: string; text: string }[] {
    if (cookie.length > MAX_LENGTH) return [];
    return cookie
      .split('~')
      .slice(0, MAX_ACCOUNTS)
      .flatMap((text) => {
        const [, userId = '', deviceId = '', end = '', signature = ''] = ENTRY.exec(text) ?? [];
        const expected = this.#sign(`${userId}.${deviceId}.${end}`);
        const isOurs =
          signature.length === expected.length &&
          timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
        return isOurs && Number(end) * 1000 > nowMs ? [{ userId, deviceId, text }] : [];
      });
  }

  #sign(content: string): string {
    return createHmac('sha256', this.#key).update(content).digest('base64url');
  }
}
