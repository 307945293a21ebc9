import { isObject, type JsonObject, toList } from '../../platform/json/json-object.ts';
import { cutText, toStorable } from '../event/cut-text.ts';
import { fieldOf, numberOf, textOf } from './json-values.ts';

/** Maximum nested objects and lists of a value. */
const MAX_DEPTH = 32;
const MAX_KEY_LENGTH = 256;
/** Text in place of what is nested too deeply. */
const TOO_DEEP = '…';

/**
 * Converts values of OTLP to those of a payload, for as long as there is room: bounds the stored size of a part of an
 * event, whatever its sender puts into it.
 */
export class ValueRoom {
  #characters: number;
  #values: number;
  /** True if a value was left out, shortened or could not be stored as it is. */
  isCut = false;

  constructor(room: { characters: number; values: number }) {
    this.#characters = room.characters;
    this.#values = room.values;
  }

  /**
   * Converts a list of `KeyValue`; of equal keys the last one counts.
   * @param leftOut keys that the caller stores elsewhere
   */
  readAttributes(list: unknown, leftOut?: ReadonlySet<string>, depth = 1): JsonObject {
    const entries: [string, unknown][] = [];
    for (const pair of toList(list)) {
      const key = textOf(fieldOf(pair, 'key'));
      if (leftOut?.has(key)) continue;
      if (this.#isFull()) break;
      entries.push([this.readText(key, MAX_KEY_LENGTH), this.readValue(fieldOf(pair, 'value'), depth)]);
    }
    // Unlike an assignment, this makes a property of the key `__proto__`.
    return Object.fromEntries(entries);
  }

  /** Converts an `AnyValue`; one that is not set is null. */
  readValue(value: unknown, depth = 1): unknown {
    this.#values--;
    if (!isObject(value)) return null;
    const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = value;
    if (stringValue !== undefined) return this.readText(textOf(stringValue));
    if (boolValue !== undefined) return textOf(boolValue) === 'true';
    if (intValue !== undefined) return this.#readNumber(intValue);
    if (doubleValue !== undefined) return this.#readNumber(doubleValue);
    if (bytesValue !== undefined) return this.readText(textOf(bytesValue));
    if (arrayValue === undefined && kvlistValue === undefined) return null;
    if (depth > MAX_DEPTH) {
      this.isCut = true;
      return TOO_DEEP;
    }
    if (kvlistValue !== undefined)
      return this.readAttributes(fieldOf(kvlistValue, 'values'), undefined, depth + 1);
    const items: unknown[] = [];
    for (const item of toList(fieldOf(arrayValue, 'values'))) {
      if (this.#isFull()) break;
      items.push(this.readValue(item, depth + 1));
    }
    return items;
  }

  /** Returns a text that the database can store, shortened to the room that is left. */
  readText(text: string, maxLength = Infinity): string {
    const storable = toStorable(cutText(text, Math.min(maxLength, this.#characters)));
    this.#characters -= storable.length;
    if (storable !== text) this.isCut = true;
    return storable;
  }

  /** Returns a number that JSON holds exactly, else its text. */
  #readNumber(value: unknown): number | string {
    const number = numberOf(value);
    if (number === null || !Number.isFinite(number)) return this.readText(textOf(value));
    const isExact = typeof value === 'number' || !Number.isInteger(number) || Number.isSafeInteger(number);
    return isExact ? number : this.readText(textOf(value));
  }

  #isFull(): boolean {
    if (this.#values > 0 && this.#characters > 0) return false;
    this.isCut = true;
    return true;
  }
}
