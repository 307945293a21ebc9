import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { madeOnce } from './made-once.ts';

async function store() {
  const directory = await mkdtemp(join(tmpdir(), 'tocsin-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  let made = 0;
  const make = () => Buffer.from(`bytes ${++made}`);
  const get = async (sources: URL[] = [], name = 'history') => {
    const bytes = await madeOnce({ name, sources, directory: join(directory, 'kept') }, make);
    return Buffer.from(bytes).toString();
  };
  const files = async () =>
    (await readdir(join(directory, 'kept'))).map((name) => join(directory, 'kept', name));
  return { directory, get, files };
}

it('makes bytes once, and reads them from their file afterwards', async () => {
  const { get, files } = await store();
  expect([await get(), await get()]).toEqual(['bytes 1', 'bytes 1']);
  expect(await get([], 'other')).toBe('bytes 2');
  expect(await files()).toHaveLength(2);
});

it('makes bytes again where a source differs, and removes the former ones', async () => {
  const { directory, get, files } = await store();
  const sources = await Promise.all(
    ['one', 'two'].map(async (name) => {
      await writeFile(join(directory, name), name);
      return pathToFileURL(join(directory, name));
    }),
  );
  expect(await get(sources.slice(0, 1))).toBe('bytes 1');
  expect(await get(sources.slice(1))).toBe('bytes 2');
  expect(await get(sources.slice(1))).toBe('bytes 2');
  expect(await files()).toHaveLength(1);
});

it('tells folders apart by their sources, not by their tests', async () => {
  const { directory, get } = await store();
  const folders = ['a', 'b', 'c'].map((name) => pathToFileURL(join(directory, name, '/')));
  for (const [index, folder] of folders.entries()) {
    await mkdir(folder);
    await writeFile(new URL('source.ts', folder), index < 2 ? 'same' : 'other');
    await writeFile(new URL('source.test.ts', folder), String(index));
  }
  const all = [];
  for (const folder of folders) all.push(await get([folder]));
  expect(all).toEqual(['bytes 1', 'bytes 1', 'bytes 2']);
});

it.each([0, 20, 34])('makes bytes again where their file ends after %d bytes', async (length) => {
  const { get, files } = await store();
  await get();
  const [file = ''] = await files();
  await truncate(file, length);
  expect([await get(), await get()]).toEqual(['bytes 2', 'bytes 2']);
});

it('makes bytes again where a byte of their file has changed', async () => {
  const { get, files } = await store();
  await get();
  const [file = ''] = await files();
  const content = await readFile(file);
  await writeFile(file, content.fill('x', content.length - 1));
  expect(await get()).toBe('bytes 2');
});

it('gives whole bytes to each that asks at the same moment, and leaves one file', async () => {
  const { get, files } = await store();
  const all = await Promise.all([get(), get(), get()]);
  expect(all.every((bytes) => /^bytes [123]$/.test(bytes))).toBe(true);
  expect(await files()).toHaveLength(1);
  expect(all).toContain(await get());
});
