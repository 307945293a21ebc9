import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);

it('draws the bell, and each sign that an empty state can have', async () => {
  const [, signs = ''] = /sign\?: ([^;]+);/.exec(await read('../feedback/states.tsx')) ?? [];
  const parts = namesIn(await read('drawings.svg'), /<symbol id="(\w+)"/g);
  expect(new Set(parts)).toEqual(new Set(['bell', ...namesIn(signs, /'(\w+)'/g)]));
});
