import { expect, it } from 'vitest';
import { waitFor } from '../../test/support/wait.ts';
import { createSystemLookup } from './system-lookup.ts';

it('takes one thread for look-ups at most, whatever is looked up, and stops waiting with the signal', async () => {
  const running: { host: string; end: () => void }[] = [];
  const lookUp = createSystemLookup(
    (host) => new Promise((resolve) => running.push({ host, end: () => resolve([]) })),
  );
  const signal = new AbortController().signal;
  const impatient = new AbortController();
  const first = lookUp('mail.example', signal);
  const second = lookUp('hook.example', signal);
  const third = lookUp('mail.example', impatient.signal);
  impatient.abort(new Error('Too late'));
  await expect(third).rejects.toThrow('Too late');
  expect(running.map(({ host }) => host)).toEqual(['mail.example']);
  running[0]?.end();
  await first;
  await waitFor('the second look-up', () => running[1]?.host === 'hook.example');
  running[1]?.end();
  expect(await second).toEqual([]);
});
