import { expect, it } from 'vitest';
import type { Event } from '../../../lib/api-types.ts';
import { fitsFilter } from './fits-filter.ts';

const event: Event = {
  id: 'evt_1',
  type: 'checkout',
  severity: 'error',
  source: null,
  message: 'Payment of Order 12 failed',
  payload: {},
  correlation: {},
  correlationId: 'ord_1',
  fingerprint: 'abc',
  groupId: null,
  release: null,
  projectId: 'proj_1',
  organizationId: 'org_1',
  capturedAt: '2026-11-21T09:30:00.000Z',
  receivedAt: '2026-11-21T09:30:00.000Z',
};

it('an event fits where every filter that is set does', () => {
  expect(fitsFilter(event, {})).toBe(true);
  expect(fitsFilter(event, { project_id: 'proj_1', type: 'checkout', severity: 'error' })).toBe(true);
  expect(fitsFilter(event, { correlation_id: 'ord_1', fingerprint: 'abc' })).toBe(true);
  expect(fitsFilter(event, { type: 'checkout', severity: 'warn' })).toBe(false);
  expect(fitsFilter(event, { project_id: 'proj_2' })).toBe(false);
  expect(fitsFilter(event, { source: 'api' })).toBe(false);
});

it('words may come in any order and case, and all must be there', () => {
  expect(fitsFilter(event, { q: 'order payment' })).toBe(true);
  expect(fitsFilter(event, { q: '  FAIL  ' })).toBe(true);
  expect(fitsFilter(event, { q: 'payment refunded' })).toBe(false);
});
