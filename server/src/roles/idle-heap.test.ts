import { expect, it } from 'vitest';
import { IdleHeap } from './idle-heap.ts';

const MEBIBYTE = 2 ** 20;

function startHeap() {
  const heap = { busyShare: 0, youngBytes: 128 * MEBIBYTE, collections: 0 };
  const idle = new IdleHeap({
    takeBusyShare: () => heap.busyShare,
    youngBytes: () => heap.youngBytes,
    collect: () => void heap.collections++,
  });
  return { heap, check: () => idle.check() };
}

it('collects once the process is idle, and not while it works', () => {
  const { heap, check } = startHeap();
  heap.busyShare = 0.5;
  check();
  expect(heap.collections).toBe(0);
  heap.busyShare = 0.01;
  check();
  expect(heap.collections).toBe(1);
});

it('leaves a young generation alone that is small', () => {
  const { heap, check } = startHeap();
  heap.youngBytes = 2 * MEBIBYTE;
  check();
  expect(heap.collections).toBe(0);
});

it('tries three times after each load where a collection gives nothing back', () => {
  const { heap, check } = startHeap();
  for (let time = 0; time < 10; time++) check();
  expect(heap.collections).toBe(3);
  heap.busyShare = 1;
  check();
  heap.busyShare = 0;
  check();
  expect(heap.collections).toBe(4);
});
