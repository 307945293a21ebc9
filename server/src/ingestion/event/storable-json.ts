import { ApiError } from '../../platform/errors.ts';
import { MAX_JSON_VALUES } from '../../platform/json/strict-json.ts';
import { toStorable } from './cut-text.ts';

/** Maximum depth of a value in an event; deeper ones are left out. */
const MAX_DEPTH = 32;
const LEFT_OUT = '…';

export interface StorableJson {
  value: unknown;
  /** True if a part was left out or corrected. */
  isChanged: boolean;
}

/**
 * Parses JSON whose sender cannot be made to correct it: what the database cannot store is replaced or left out. A text
 * may hold the source of a program, with any character in it, so the values are corrected and never the bytes.
 * @throws ApiError `malformed_json`
 */
export function parseStorableJson(bytes: Buffer): StorableJson {
  return toStorableJson(parseJson(bytes));
}

/** Parses JSON without correcting it. @throws ApiError `malformed_json` */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new ApiError('malformed_json', 'The body, or a part of it, cannot be parsed as JSON.');
  }
}

/** As `parseStorableJson`, for a parsed value, which is changed in place. */
export function toStorableJson(parsed: unknown): StorableJson {
  const correction = new Correction();
  const value = correction.correct(parsed, 1);
  return { value, isChanged: correction.isChanged };
}

class Correction {
  isChanged = false;
  #values = 0;

  correct(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#correctText(value);
    if (typeof value === 'number' && !Number.isFinite(value)) return this.#leaveOut();
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) return this.#leaveOut();
    if (Array.isArray(value)) return this.#correctArray(value, depth);
    for (const [key, inner] of Object.entries(value)) {
      const name = this.#correctText(key);
      const corrected = this.#hasRoom() ? this.correct(inner, depth + 1) : this.#leaveOut();
      if (name === key && corrected === inner) continue;
      Reflect.deleteProperty(value, key);
      // An assignment to `__proto__` would set the prototype.
      Object.defineProperty(value, name, {
        value: corrected,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return value;
  }

  #correctArray(values: unknown[], depth: number): unknown[] {
    for (const [index, inner] of values.entries()) {
      if (!this.#hasRoom()) {
        values.length = index;
        this.isChanged = true;
        break;
      }
      values[index] = this.correct(inner, depth + 1);
    }
    return values;
  }

  #correctText(text: string): string {
    const storable = toStorable(text);
    if (storable !== text) this.isChanged = true;
    return storable;
  }

  #hasRoom(): boolean {
    return ++this.#values <= MAX_JSON_VALUES;
  }

  #leaveOut(): string {
    this.isChanged = true;
    return LEFT_OUT;
  }
}
