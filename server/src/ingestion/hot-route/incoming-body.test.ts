import { expect, it } from 'vitest';
import { IncomingBody } from './incoming-body.ts';

it('keeps a body byte by byte, past its length as well, and holds no memory for what has not arrived', () => {
  const sent = Buffer.from('a body in pieces, and more');
  const body = new IncomingBody(16, sent.subarray(0, 0));
  for (const byte of sent) body.add(Buffer.from([byte]));
  expect(body.bytes.toString()).toBe(sent.toString());
  expect(new IncomingBody(1024 * 1024, sent).bytes.buffer.byteLength).toBe(sent.buffer.byteLength);
});
