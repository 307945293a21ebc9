import { expect, it } from 'vitest';
import { describeInherited, readInheritedDescriptors } from './inherited-descriptors.ts';

it('numbers inherited descriptors from 3, by the names that they were given', () => {
  const passed = { LISTEN_PID: '7', ...describeInherited(['PORT', 'INGEST_PORT']) };
  expect(readInheritedDescriptors(passed, 7)).toEqual([
    { fd: 3, name: 'PORT' },
    { fd: 4, name: 'INGEST_PORT' },
  ]);
});

it('takes no descriptor that was meant for another process', () => {
  expect(readInheritedDescriptors({ LISTEN_PID: '6', LISTEN_FDS: '2' }, 7)).toEqual([]);
});

it.each(['', '-1', '1.5', 'two'])('takes no descriptor for the number "%s"', (LISTEN_FDS) => {
  expect(readInheritedDescriptors({ LISTEN_PID: '7', LISTEN_FDS }, 7)).toEqual([]);
});
