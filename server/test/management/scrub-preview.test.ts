import { expect, it } from 'vitest';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService();
const user = await service.signUp();

const TAX_ID = ['DE', 'x7f3a9c1', '345'].join('-');
const CARD = ['4242', '4242', '4242', '4242'].join('');
const NO_CHOICES = { names: [], safe: [], off: [], personal: [] };
const CHOICES = { ...NO_CHOICES, names: ['tax id'] };

interface RulePreview {
  rule: string;
  filtered: number;
  found: number;
  places: object[];
}

const previewOf = async (projectId: string, choices: object) => {
  const { status, body } = await user.api.post(`/projects/${projectId}/scrubbing/preview`, choices);
  expect(status).toBe(200);
  const rules = body.rules as RulePreview[];
  return { ...body, rules: rules.filter(({ filtered, found }) => filtered + found > 0) };
};

it('says what choices would have replaced in stored events and where, and never shows it', async () => {
  const { id, ingest } = await user.createProject();
  const event = {
    type: 'order',
    severity: 'INFO',
    message: `Order of ${TAX_ID} paid with ${CARD}`,
    payload: { customer: { taxId: TAX_ID }, list: [{ [`tax_id=${TAX_ID}`]: 1 }], note: 'none' },
  };
  for (let round = 0; round < 2; round++) await ingest.post('/ingest/events', event);
  await ingest.post('/ingest/events', { type: 'order', severity: 'INFO', message: 'Shipped' });
  await service.settled();

  const nothing = await previewOf(id, NO_CHOICES);
  expect(nothing).toEqual({
    events: 3,
    since: expect.any(String),
    rules: [{ rule: 'card', filtered: 2, found: 0, places: [] }],
  });
  const preview = await previewOf(id, CHOICES);
  expect(preview.rules).toEqual([
    { rule: 'card', filtered: 2, found: 0, places: [] },
    {
      rule: 'key',
      filtered: 0,
      found: 4,
      places: expect.arrayContaining([
        { place: 'payload.customer.taxId', events: 2, example: '[Filtered]' },
        { place: 'payload.list[].tax_id=[Filtered] 1', events: 2, example: 'tax_id=[Filtered] 1' },
      ]),
    },
    {
      rule: 'repeat',
      filtered: 0,
      found: 2,
      places: [{ place: 'message', events: 2, example: 'Order of [Filtered] paid with [Filtered]' }],
    },
  ]);
  expect(JSON.stringify(preview)).not.toContain(TAX_ID);
  // It changes nothing.
  const { scrubbing } = (await user.api.get(`/projects/${id}`)).body;
  expect(scrubbing).toEqual(NO_CHOICES);
  expect((await user.api.get(`/events?project_id=${id}`)).body[1].message).toContain(TAX_ID);
});

it('replaces all that it found in the text that it shows', async () => {
  const { id, ingest } = await user.createProject();
  await ingest.post('/ingest/events', {
    type: 'order',
    severity: 'INFO',
    message: `tax_id=${TAX_ID} vat_no=${TAX_ID}-1`,
  });
  await service.settled();
  const { rules } = await previewOf(id, { ...NO_CHOICES, names: ['tax id', 'vat no'], off: ['repeat'] });
  expect(rules).toEqual([
    {
      rule: 'key',
      filtered: 0,
      found: 2,
      places: [{ place: 'message', events: 1, example: 'tax_id=[Filtered] vat_no=[Filtered]' }],
    },
  ]);
});

it('reads the newest events alone, and says how far it looked', async () => {
  const { id, ingest } = await user.createProject();
  const event = { type: 'order', severity: 'INFO', message: 'Paid', payload: { taxId: TAX_ID } };
  await ingest.post(
    '/ingest/bulk',
    Array.from({ length: 510 }, () => event),
  );
  await service.settled();
  const { events, rules } = await previewOf(id, CHOICES);
  expect(events).toBe(500);
  expect(rules).toMatchObject([{ rule: 'key', found: 500 }]);
});

it('reads no further events once their texts have reached 2 MiB, however small they are stored', async () => {
  const { id, ingest } = await user.createProject();
  const payload = { taxId: TAX_ID, log: Array.from({ length: 900 }, () => 'a'.repeat(1_000)) };
  for (let round = 0; round < 5; round++) {
    const { status } = await ingest.post('/ingest/events', {
      type: 'order',
      severity: 'INFO',
      message: 'Paid',
      payload,
    });
    expect(status).toBe(202);
  }
  await service.settled();
  const { events, rules } = await previewOf(id, CHOICES);
  expect(events).toBe(3);
  expect(rules).toMatchObject([{ rule: 'key', found: 3 }]);
});

it('answers nothing of an empty project, and hides those of others', async () => {
  const { id } = await user.createProject();
  expect(await previewOf(id, CHOICES)).toEqual({ events: 0, since: null, rules: [] });
  const stranger = await service.signUp();
  expectProblem(await stranger.api.post(`/projects/${id}/scrubbing/preview`, CHOICES), 'not_found');
  expectProblem(
    await user.api.post(`/projects/${id}/scrubbing/preview`, { ...NO_CHOICES, names: ['17'] }),
    'validation_failed',
  );
});
