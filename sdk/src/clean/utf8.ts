const BEYOND_ASCII = /[\x80-\uffff]/;
const encoder = new TextEncoder();

export function utf8Bytes(text: string): number {
  if (!BEYOND_ASCII.test(text)) return text.length;
  return encoder.encode(text).byteLength;
}
