import { expect, it } from 'vitest';
import { PROTOCOLS } from '../../../../server/src/ingestion/requests/protocols.ts';
import { WAYS } from './ways.ts';

it('offers a way to send by each protocol that ingestion speaks', () => {
  const offered = new Set(WAYS.map(({ protocol }) => protocol));
  expect(PROTOCOLS.filter((protocol) => protocol !== 'other' && !offered.has(protocol))).toEqual([]);
});
