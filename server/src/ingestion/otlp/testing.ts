import type { MessageTable } from './wire.ts';

/** Encodes a message of Protocol Buffers from its JSON form; raw fields are bytes already. */
export function encodeMessage(message: object, table: MessageTable): Buffer {
  const parts: Buffer[] = [];
  for (const [number, field] of Object.entries(table)) {
    const found: unknown = field && (message as Record<string, unknown>)[field.name];
    if (!field || found === undefined) continue;
    for (const value of field.repeated ? (found as unknown[]) : [found])
      parts.push(encodeField(Number(number), field.form, value));
  }
  return Buffer.concat(parts);
}

function encodeField(number: number, form: unknown, value: unknown): Buffer {
  switch (form) {
    case 'bool':
      return Buffer.concat([varint(number << 3), varint(value === true ? 1 : 0)]);
    case 'int':
      return Buffer.concat([varint(number << 3), varint(value as number)]);
    case 'time': {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(value as string));
      return Buffer.concat([varint((number << 3) | 1), bytes]);
    }
    case 'double': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value as number);
      return Buffer.concat([varint((number << 3) | 1), bytes]);
    }
    case 'text':
      return delimited(number, Buffer.from(value as string));
    case 'hex':
    case 'base64':
      return delimited(number, Buffer.from(value as string, form));
    case 'raw':
      return delimited(number, value as Buffer);
  }
  return delimited(number, encodeMessage(value as object, form as MessageTable));
}

/** Field of bytes, a text or a message. */
export function delimited(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}
