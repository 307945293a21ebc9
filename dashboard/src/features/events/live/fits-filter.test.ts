import { expect, it } from 'vitest';
import type { Event } from '../../../lib/api-types.ts';
import { fitsFilter } from './fits-filter.ts';

const event: Event = {
  id: 'evt_1',
  type: 'checkout',
  severity: 'error',
  source: null,
  message: 'Payment of Order 12 failed',
  payload: { cart: { id: 7, tags: ['a'] } },
  correlation: { order_id: 'ord_1', attempt: 2 },
  correlationId: 'ord_1',
  fingerprint: 'abc',
  groupId: null,
  release: null,
  environment: 'production',
  projectId: 'proj_1',
  organizationId: 'org_1',
  amount: null,
  capturedAt: '2026-11-21T09:30:00.000Z',
  receivedAt: '2026-11-21T09:30:00.000Z',
  changed: [],
  scrubbed: {},
  weight: 1,
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

it('compares values of correlation and payload, and leaves out excluded ones', () => {
  expect(fitsFilter(event, { correlation: 'ord_1', 'payload.cart.id': '7' })).toBe(true);
  expect(fitsFilter(event, { 'correlation.attempt': '2', 'payload.cart.tags.0': 'a' })).toBe(true);
  expect(fitsFilter(event, { 'correlation.user_id': 'ord_1' })).toBe(false);
  expect(fitsFilter(event, { 'payload.cart.constructor': 'a' })).toBe(false);
  expect(fitsFilter(event, { 'type!': ['mail', 'checkout'] })).toBe(false);
  expect(fitsFilter(event, { 'type!': 'mail', 'source!': 'api', 'payload.cart.id!': '8' })).toBe(true);
  expect(fitsFilter(event, { 'correlation!': 'ord_1' })).toBe(false);
  expect(fitsFilter(event, { environment: 'staging' })).toBe(false);
  expect(fitsFilter(event, { 'environment!': 'staging' })).toBe(true);
  expect(fitsFilter(event, { environment: 'Prod' })).toBe(true);
  expect(fitsFilter(event, { 'environment!': ['stage', 'live'] })).toBe(false);
});
