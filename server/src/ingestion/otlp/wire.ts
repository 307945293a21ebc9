import { ApiError } from '../../platform/errors.ts';

/** Form in which a field's value is returned: as OTLP/JSON writes it, and `raw` as its undecoded bytes. */
type FieldForm = 'text' | 'bool' | 'int' | 'time' | 'double' | 'hex' | 'base64' | 'raw' | MessageTable;

interface FieldEntry {
  name: string;
  form: FieldForm;
  repeated?: boolean;
}

/** Fields of a message by number; others are skipped, as the protocol demands. */
export type MessageTable = Partial<Record<number, FieldEntry>>;

/** Message in the form of OTLP/JSON. */
export type JsonMessage = Record<string, unknown>;

/** Wire types of Protocol Buffers; groups, which no version of OTLP has, are malformed. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/** Maximum nested messages. */
const MAX_DEPTH = 128;
const TWO_TO_32 = 2 ** 32;

/** Error of bytes that are no message. */
function malformedMessage(): ApiError {
  return new ApiError('bad_request', 'The body cannot be parsed as a protobuf message of OTLP.');
}

function wireTypeOf(form: FieldForm): number {
  if (form === 'bool' || form === 'int') return VARINT;
  return form === 'time' || form === 'double' ? FIXED64 : LENGTH_DELIMITED;
}

/**
 * Decodes a message into the form that OTLP/JSON has, so that one reader serves both encodings. The schema of OTLP is
 * frozen: a table of its fields takes the place of a library and of generated code.
 * @param maxValues maximum fields of the message and of all in it
 * @throws ApiError `bad_request` if the bytes are no message; `body_too_large` if it has more fields
 */
export function decodeMessage(bytes: Buffer, table: MessageTable, maxValues: number): JsonMessage {
  return new WireReader(bytes, maxValues).readMessage(bytes.length, table, 1);
}

class WireReader {
  readonly #bytes: Buffer;
  #at = 0;
  #valuesLeft: number;

  constructor(bytes: Buffer, maxValues: number) {
    this.#bytes = bytes;
    this.#valuesLeft = maxValues;
  }

  readMessage(end: number, table: MessageTable, depth: number): JsonMessage {
    if (depth > MAX_DEPTH) throw malformedMessage();
    const message: JsonMessage = {};
    while (this.#at < end) {
      if (this.#valuesLeft-- <= 0) throw new ApiError('body_too_large', 'The message has too many fields.');
      const tag = this.#readLength();
      const field = table[tag >>> 3];
      const wireType = tag & 7;
      if (field && wireType === wireTypeOf(field.form)) {
        const value = this.#readValue(field.form, end, depth);
        if (field.repeated) ((message[field.name] ??= []) as unknown[]).push(value);
        else message[field.name] = value;
      } else this.#skip(wireType, end);
    }
    if (this.#at !== end) throw malformedMessage();
    return message;
  }

  #readValue(form: FieldForm, end: number, depth: number): unknown {
    switch (form) {
      case 'bool':
        return this.#readInteger() !== 0;
      case 'int':
        return this.#readInteger();
      case 'time': {
        const at = this.#advance(8, end);
        return this.#bytes.readUInt32LE(at) + this.#bytes.readUInt32LE(at + 4) * TWO_TO_32;
      }
      case 'double':
        return this.#bytes.readDoubleLE(this.#advance(8, end));
    }
    const length = this.#readLength();
    const start = this.#advance(length, end);
    switch (form) {
      case 'text':
        return this.#bytes.toString('utf8', start, this.#at);
      case 'hex':
        return this.#bytes.toString('hex', start, this.#at);
      case 'base64':
        return this.#bytes.toString('base64', start, this.#at);
      case 'raw':
        return this.#bytes.subarray(start, this.#at);
    }
    this.#at = start;
    return this.readMessage(start + length, form, depth + 1);
  }

  #skip(wireType: number, end: number): void {
    if (wireType === VARINT) this.#readInteger();
    else if (wireType === FIXED64) this.#advance(8, end);
    else if (wireType === FIXED32) this.#advance(4, end);
    else if (wireType === LENGTH_DELIMITED) this.#advance(this.#readLength(), end);
    else throw malformedMessage();
  }

  /** @returns the position before the step */
  #advance(length: number, end: number): number {
    const start = this.#at;
    if (length > end - start) throw malformedMessage();
    this.#at = start + length;
    return start;
  }

  /** Reads a tag or a length: a varint of at most 32 bits. */
  #readLength(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value >= TWO_TO_32) break;
        return value;
      }
    }
    throw malformedMessage();
  }

  /** Reads a signed integer of 64 bits: a number if that is exact, else its decimal digits. */
  #readInteger(): number | string {
    let low = 0;
    let bits = 0n;
    for (let place = 0; place < 10; place++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) break;
      if (place < 4) low += (byte & 0x7f) * 2 ** (7 * place);
      else bits |= BigInt(byte & 0x7f) << BigInt(7 * place);
      if (byte >= 0x80) continue;
      if (place < 4) return low;
      const value = BigInt.asIntN(64, bits | BigInt(low));
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : String(value);
    }
    throw malformedMessage();
  }
}
