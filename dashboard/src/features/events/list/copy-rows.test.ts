import { expect, it } from 'vitest';
import { toTable } from './copy-rows.ts';

const event = {
  id: 'evt_1',
  projectId: 'proj_1',
  type: 'checkout',
  severity: 'error' as const,
  source: null,
  message: 'Two\nlines\tand a tab',
  correlationId: 'f00',
  fingerprint: 'f00',
  capturedAt: '2026-11-21T12:00:00.123Z',
  receivedAt: '2026-11-21T12:00:01.000Z',
  weight: 1,
  whole: null,
};

it('writes one line for each event, without the breaks and tabs of its message', () => {
  expect(toTable([event, { ...event, source: 'shop', correlationId: 'ord_1' }])).toBe(
    '2026-11-21T12:00:00.123Z\terror\tcheckout\t\t\tTwo lines and a tab\n' +
      '2026-11-21T12:00:00.123Z\terror\tcheckout\tshop\tord_1\tTwo lines and a tab',
  );
});

it.each(["=cmd|' /C calc'!A0", '+1', '-1', '@SUM(A1)', '\t=1', '＝1'])(
  'copies %j as no formula',
  (message) => {
    const cell = toTable([{ ...event, message }])
      .split('\t')
      .at(-1);
    expect(cell).toMatch(/^'/);
  },
);
