import { describe, expect, it } from 'vitest';
import type { NewestEvent } from '../../events/read-types.ts';
import type { MainGroup } from '../../incidents/stored-evidence.ts';
import { alarm, CHECKOUT, TOTAL } from '../incidents/testing.ts';
import { titleOfLead } from './title.ts';

const ERRORS = alarm({ ...TOTAL, kind: 'errors' }, 400);
const MAIN: MainGroup = {
  groupId: '0190a000-0000-7000-8000-000000000001',
  key: 'SHOP-1',
  title: 'TypeError: cart is undefined',
  source: 'shop',
  severity: 'error',
  share: 0.61,
  releases: [],
};

function events(...parts: [count: number, event: Partial<NewestEvent>][]): NewestEvent[] {
  return parts.flatMap(([count, event], part) =>
    Array.from({ length: count }, (_, index) => ({
      id: '0190a000-0000-7000-8000-000000000001',
      correlationId: 'f',
      fingerprint: 'f',
      type: `type-${part}-${index}`,
      severity: 'error' as const,
      source: `source-${part}-${index}`,
      ...event,
    })),
  );
}

describe('titleOfLead', () => {
  it('names the error and its place where one group has most of the events', () => {
    expect(titleOfLead(ERRORS, MAIN, [])).toBe('TypeError: cart is undefined in shop');
    expect(titleOfLead(ERRORS, { ...MAIN, source: null }, [])).toBe('TypeError: cart is undefined');
    expect(titleOfLead(alarm(CHECKOUT, 9), { ...MAIN, severity: 'warn' }, [])).toBe(
      'checkout errors up in shop',
    );
  });

  it.each([
    ['type, severity and source of 51 in 100', [51, { type: 'rpc', source: 'api' }], 'rpc errors up in api'],
    [
      'the whole project where no part has more than half',
      [50, { type: 'rpc', source: 'api' }],
      'Errors up in this project',
    ],
    ['severity and source where the types differ', [51, { source: 'api' }], 'Errors up in api'],
    ['severity without a source', [51, { type: 'rpc', source: null }], 'rpc errors up'],
  ] as const)('names in a title %s', (_name, part, title) => {
    expect(titleOfLead(ERRORS, null, events([part[0], part[1]], [100 - part[0], {}]))).toBe(title);
  });

  it('names errors with their source where types and severities differ', () => {
    const mixed = events([30, { source: 'api' }], [30, { source: 'api', severity: 'critical' }], [40, {}]);
    expect(titleOfLead(ERRORS, null, mixed)).toBe('Errors up in api');
    expect(titleOfLead(alarm(TOTAL, 400), null, mixed)).toBe('Events up in api');
  });

  it('cuts a title at 200 characters, and keeps the place', () => {
    const long = titleOfLead(ERRORS, { ...MAIN, title: 'é'.repeat(500), source: 's'.repeat(500) }, []);
    expect(Array.from(long)).toHaveLength(200);
    expect(long).toMatch(/^é+… in s+…$/);
    const [type, source] = ['t'.repeat(255), 's'.repeat(255)];
    expect(titleOfLead(alarm({ ...CHECKOUT, type, source }, 9), null, [])).toHaveLength(200);
  });
});
