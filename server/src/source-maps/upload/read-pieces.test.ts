import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readPieces } from './read-pieces.ts';

const requestOf = (pieces: string[], headers = {}) =>
  Object.assign(Readable.from(pieces.map((piece) => Buffer.from(piece))), { headers });

it('reads a body in its pieces', async () => {
  const { pieces, bytes } = await readPieces(requestOf(['ab', 'c'], { 'content-length': '3' }), 3);
  expect([pieces.map(String), bytes]).toEqual([['ab', 'c'], 3]);
});

it('refuses a body that says, or shows, that it is too large, and leaves its connection open', async () => {
  const stated = requestOf(['ab', 'c'], { 'content-length': '3' });
  await expect(readPieces(stated, 2)).rejects.toMatchObject({ code: 'body_too_large' });
  const shown = requestOf(['ab', 'c', 'd']);
  await expect(readPieces(shown, 2)).rejects.toMatchObject({ code: 'body_too_large' });
  expect([stated.destroyed, shown.destroyed]).toEqual([false, false]);
});
