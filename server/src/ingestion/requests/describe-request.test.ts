import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../platform/errors.ts';
import { generateApiKey } from '../../tenancy/api-keys/key-format.ts';
import { describeRefusal, describeRequest, hashNamedId } from './describe-request.ts';
import { findNamedSender } from './named-sender.ts';
import { protocolOf } from './protocols.ts';

const KEY = generateApiKey().rawKey;
const ID = '4f8a2b1c000040008000000000000001';
const pathOf = (url: string) => describeRequest({ method: 'POST', url, headers: {} }).path;

describe('a described request', () => {
  it.each([
    ['/ingest/events', '/ingest/events'],
    ['/ingest/events?api_key=hunter2', '/ingest/events?…'],
    ['/ingest/check-ins/nightly-backup', '/ingest/check-ins/nightly-backup'],
    [`/ping/${KEY}/nightly`, '/ping/…/nightly'],
    ['/ping/hunter/nightly', '/ping/…/nightly'],
    ['/hooks/hunter', '/hooks/…'],
    ['/api/push/hunter', '/api/push/…'],
    ['/api/7/cron/nightly/hunter/', '/api/7/cron/nightly/…/'],
    ['/api/7/envelope/?sentry_key=hunter', '/api/7/envelope/?…'],
    ['/collect/hunter2/Secret', '/collect/…/…'],
    [`/${'x'.repeat(25)}`, '/…'],
    [`/${'a/'.repeat(2_000)}`, '/a/a/a/a/a/a/a/a'],
  ])('shows the address %s as %s', (url, path) => {
    expect(pathOf(url)).toBe(path);
  });

  it('shows the values of some headers without secrets, and of all others their length', () => {
    const { headers } = describeRequest({
      method: 'POST',
      url: '/ingest/events',
      headers: {
        'content-type': 'application/json',
        'user-agent': `shop/1.0 ${KEY} password=hunter2hunter2`,
        authorization: `Bearer ${KEY}`,
        [`x-${KEY.toLowerCase()}`]: 'secret in a name',
      },
    });
    expect(headers.map(({ name }) => name)).toEqual(['content-type', 'user-agent', 'authorization']);
    expect(headers[0]).toEqual({ name: 'content-type', value: 'application/json', length: 16 });
    expect(headers[1]?.value).toMatch(/^shop\/1\.0 /);
    expect(headers[2]).toEqual({ name: 'authorization', value: null, length: KEY.length + 7 });
    expect(JSON.stringify(headers)).not.toMatch(/hunter2|tsn_live_\w{6}/);
  });

  it.each([
    ['a header', { 'idempotency-key': ID }, undefined],
    ['the beginning of a body', {}, Buffer.from(`{"event_id":"${ID}"}\n{}`)],
    ['a compressed body', { 'content-encoding': 'gzip' }, gzipSync(`{"event_id":"${ID}"}\n{}`)],
    [
      'a long compressed body',
      { 'content-encoding': 'gzip' },
      gzipSync(`{"event_id":"${ID}"}\n${noise(100_000)}`),
    ],
  ])('keeps the hash of the id in %s, with dashes or without', (_, headers, body) => {
    const dashed = ID.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase();
    const { namedIds } = describeRequest({ method: 'POST', url: '/', headers, body });
    expect(namedIds).toEqual([hashNamedId(dashed)]);
  });

  it('keeps no id from the items of an envelope', () => {
    const body = Buffer.from(`{"event_id":"${ID}"}\n{"type":"event"}\n{"user":{"id":"usr_4711"}}`);
    const { namedIds } = describeRequest({ method: 'POST', url: '/api/7/envelope/', headers: {}, body });
    expect(namedIds).toEqual([hashNamedId(ID)]);
  });

  it.each([
    ['an event', '{"payload":{"user":{"id":"42"}},"id":"evt_1","tags":[{"id":"usr_47114711"}]}'],
    ['a text with braces', '{"message":"} \\"id\\": \\"7\\" {{","user":{"id":"42"},"id" : "evt_1"}'],
    ['a list', '[{"id":"evt_1","user":{"id":"42"}}]'],
    ['a text that is cut off', '{"id":"evt_1","message":"\\"}, {\\"id\\":\\"7'],
    ['lines', '{"user":{"id":"42"}}\n{"id":"evt_1"}'],
  ])('keeps the id of %s, and none of what is in it', (_, text) => {
    const body = Buffer.from(text);
    const { namedIds } = describeRequest({ method: 'POST', url: '/ingest/events', headers: {}, body });
    expect(namedIds).toEqual([hashNamedId('evt_1')]);
  });

  it('keeps the fingerprints of the alerts in a group, and none of another form', () => {
    const [alert, person] = ['62d8e2a1c94b7f03', 'visitor-47114711'].map((fingerprint) => ({
      fingerprint,
      labels: { id: '42' },
    }));
    const body = Buffer.from(JSON.stringify({ alerts: [alert, person] }));
    const { namedIds } = describeRequest({ method: 'POST', url: '/ingest/alertmanager', headers: {}, body });
    expect(namedIds).toEqual([hashNamedId('62d8e2a1c94b7f03')]);
  });

  it('keeps at most eight ids of a body', () => {
    const body = Buffer.from(JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id: `${id}` }))));
    const { namedIds } = describeRequest({ method: 'POST', url: '/ingest/cloudevents', headers: {}, body });
    expect(namedIds).toEqual(Array.from({ length: 8 }, (_, id) => hashNamedId(`${id}`)));
  });

  it('ignores a body that is in no known form', () => {
    const headers = { 'content-encoding': 'gzip' };
    for (const body of [Buffer.from('no gzip'), gzipSync('\0'.repeat(5_000_000)), {}, null])
      expect(describeRequest({ method: 'POST', url: '/', headers, body }).namedIds).toEqual([]);
  });

  it('says why it was refused without the names of fields that its sender chose', () => {
    const pointer = '/correlation/hunter2';
    const error = new ApiError('validation_failed', `body${pointer} must be string.`, {
      fields: [{ pointer, message: 'must be string' }],
    });
    expect(describeRefusal(error)).toBe('body/correlation/… must be string.');
  });
});

describe('the sender that a request names', () => {
  it.each([
    ['X-Api-Key', '/ingest/events', { 'x-api-key': KEY }],
    ['a bearer token', '/v1/logs', { authorization: `Bearer ${KEY}` }],
    [
      'the password of Basic',
      '/ingest/grafana',
      {
        authorization: `Basic ${Buffer.from(`any:${KEY}`).toString('base64')}`,
      },
    ],
    ['X-Sentry-Auth', '/envelope', { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${KEY}` }],
    ['the address of a ping', `/ping/${KEY}/nightly`, {}],
    ['the address of a hook', `/hooks/${KEY}`, {}],
  ])('finds the sender by the key in %s', (_, url, headers) => {
    const sender = findNamedSender({ url, headers });
    expect(sender).toMatchObject({ prefix: KEY.slice(0, 14), number: null });
    expect(sender?.hash).toHaveLength(32);
  });

  it('keeps no part of a text that is no key of the service', () => {
    const headers = { 'x-api-key': 'hunter2hunter2' };
    expect(findNamedSender({ url: '/ingest/events', headers })).toBeNull();
    expect(findNamedSender({ url: '/api/7/envelope/', headers })).toEqual({
      hash: null,
      prefix: null,
      number: 7,
    });
    expect(findNamedSender({ url: `/api/${'9'.repeat(20)}/store/`, headers })).toBeNull();
  });
});

describe('the protocol of an address', () => {
  it.each([
    ['/ingest/bulk', 'events'],
    ['/ingest/grafana/', 'grafana'],
    ['/v1/traces', 'otlp'],
    ['/t/7', 'sentry'],
    ['/api/7/minidump/', 'sentry'],
    ['/api/push/token', 'pings'],
    ['/ingest/event', 'other'],
    ['/api/7x/envelope/', 'other'],
  ])('counts the address %s as %s', (path, protocol) => {
    expect(protocolOf(path)).toBe(protocol);
  });
});

/** Returns a text that does not compress well. */
function noise(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (state % 90));
  }).join('');
}
