import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { ENCRYPTION_ERRORS } from './errors.ts';

/*
 * Secrets that the service must use itself (credentials of notification targets, seeds of one-time codes) are stored
 * encrypted, by a key that is in no backup of the database: AES-256-GCM with a random nonce of 96 bits, as in NIST SP
 * 800-38D, which allows 2^32 values for a key.
 */

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/**
 * Length of a key's id in base64: 48 bits tell the few keys of an installation apart, and reveal nothing about them.
 */
const KEY_ID_CHARACTERS = 8;
const MIN_KEY_CHARACTERS = 32;
const MAX_KEYS = 8;

/** Form of ENCRYPTION_KEY, for errors. */
export const ENCRYPTION_KEY_FORM = `at least ${MIN_KEY_CHARACTERS} characters without spaces; further keys after a comma or on further lines only decrypt`;

interface Key {
  id: string;
  secret: Buffer;
}

/** Parses the keys of ENCRYPTION_KEY, the encrypting one first; undefined if there is none, or one is too short. */
export function readKeys(text: string): string[] | undefined {
  const keys = text.split(/[\s,]+/).filter(Boolean);
  const isUsable = keys.length > 0 && keys.length <= MAX_KEYS;
  return isUsable && keys.every((key) => key.length >= MIN_KEY_CHARACTERS) ? keys : undefined;
}

/** A new key, as the text of ENCRYPTION_KEY. */
export function generateKey(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Encrypts values with the first of its keys, and decrypts those of any. A value carries the id of its key, so a key
 * is replaced by putting another one before it: `isCurrent` tells which values must be encrypted again.
 */
export class Encryption {
  readonly #keys: readonly Key[];

  /** @param keys keys of ENCRYPTION_KEY; none: nothing can be encrypted, and everything else works */
  constructor(keys: readonly string[]) {
    this.#keys = keys.map((text) => ({
      id: derive(text, 'tocsin key id').toString('base64url').slice(0, KEY_ID_CHARACTERS),
      secret: derive(text, 'tocsin encryption'),
    }));
  }

  get hasKey(): boolean {
    return this.#keys.length > 0;
  }

  /** True if there may be values that another key than the first encrypted, and that can be read. */
  get hasFormerKeys(): boolean {
    return this.#keys.length > 1;
  }

  /**
   * @param purpose owner of the value, such as the table, the column and the id of its row: a value that was moved
   * elsewhere is not decrypted there
   * @throws ApiError `encryption_key_missing`
   */
  encrypt(plain: string, purpose: string): string {
    const [key] = this.#keys;
    if (!key) {
      throw new ApiError(
        ENCRYPTION_ERRORS.encryption_key_missing,
        'Secrets are stored encrypted, and ENCRYPTION_KEY is not set. The operator of the service must set it.',
      );
    }
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key.secret, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(purpose));
    const sealed = [cipher.update(plain, 'utf8'), cipher.final()];
    return `${key.id}:${Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url')}`;
  }

  /** @throws ApiError `encryption_key_missing` (the key of the value is not there), `encryption_key_wrong` */
  decrypt(value: string, purpose: string): string {
    const [id = '', sealed = ''] = value.split(':');
    const key = this.#keys.find((each) => each.id === id);
    if (!key) {
      throw new ApiError(
        ENCRYPTION_ERRORS.encryption_key_missing,
        this.hasKey
          ? 'A stored secret was encrypted with another key than those in ENCRYPTION_KEY: add the former key behind the present one, or enter the secret again.'
          : 'A stored secret cannot be read, since ENCRYPTION_KEY is not set.',
      );
    }
    const bytes = Buffer.from(sealed, 'base64url');
    try {
      const decipher = createDecipheriv(ALGORITHM, key.secret, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new ApiError(
        ENCRYPTION_ERRORS.encryption_key_wrong,
        'A stored secret was changed since it was encrypted: enter it again.',
        { cause },
      );
    }
  }

  /** True if a value was encrypted with the first key; any other one must be encrypted again. */
  isCurrent(value: string): boolean {
    return this.#keys[0] !== undefined && value.startsWith(`${this.#keys[0].id}:`);
  }
}

/** HKDF (RFC 5869): the key has 256 bits, whatever the form of the text. */
function derive(text: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', text, '', info, 32));
}
