import { expect, it } from 'vitest';
import { readCloudEvents } from './read-cloud-events.ts';

const headers = { 'content-type': 'application/cloudevents-batch+json' };
const encoded = (json: string) => ({ data_base64: Buffer.from(json).toString('base64') });

it('decodes the data of an event of a batch when it is its turn', () => {
  const body = Buffer.from(JSON.stringify([encoded('[1]'), encoded('[')]));
  const events = readCloudEvents(headers, body);
  expect(events.next().value).toMatchObject({ attributes: { data: [1] } });
  expect(() => events.next()).toThrow('cannot be parsed as JSON');
});
