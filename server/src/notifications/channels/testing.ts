import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Message } from '../messages/message.ts';
import type { OutgoingRequest, OutgoingResult } from '../outgoing/send-request.ts';
import { type AttemptResult, attempt } from './attempt.ts';
import type { AnyChannel, ChannelConfig } from './base/channel.ts';
import type { RemoteMessage } from './base/outcome.ts';
import type { ChannelServices } from './base/services.ts';

const ORGANIZATION_ID = '018e4a3b-0000-7000-8000-000000000000';
const NOW_MS = Date.parse('2026-11-22T12:00:00Z');

/** Text by which an application may try to forge formatting, links and mentions in any channel. */
export const HOSTILE = [
  '*bold* _italic_ ~gone~ `code` ||spoiler|| # head > quote',
  '<!channel> <@U024BE7LH> <https://evil.example|click> @everyone @here <@&1> <@everyone>',
  '[click](https://evil.example) </b><a href="https://evil.example">x</a> &lt;b&gt; <at>all</at>',
  String.raw`\*not escaped\* \u0000 ` + '💥'.repeat(50) + '\u202e',
];

export function messageOf(changes: Partial<Message> = {}): Message {
  return {
    type: 'incident.opened',
    deliveryId: 'dlv_01h455vb4pex5vsknk084sn02q',
    threadId: 'inc_01h455vb4pex5vsknk084sn02q',
    state: 'firing',
    severity: 'error',
    headline: 'Checkout errors up in shop',
    threadHeadline: '[error] Checkout errors up in shop',
    lines: ['70 errors in 3 min, usually 2.'],
    facts: [
      { label: 'Project', value: 'Shop' },
      { label: 'Severity', value: 'error' },
    ],
    project: { id: 'proj_01h455vb4pex5vsknk084sn02q', name: 'Shop', environment: 'production' },
    url: 'https://tocsin.example.com/app/incidents/inc_01h455vb4pex5vsknk084sn02q',
    silenceUrl: 'https://tocsin.example.com/app/incidents/inc_01h455vb4pex5vsknk084sn02q?silence=4h',
    why: 'A route sends it.',
    at: new Date(NOW_MS),
    subject: { kind: 'test' },
    ...changes,
  };
}

/** A message whose texts are hostile, and much longer than any channel accepts. */
export function longMessage(): Message {
  const text = HOSTILE.join(' ').repeat(200);
  return messageOf({
    headline: text,
    threadHeadline: text,
    lines: [text, text],
    facts: Array.from({ length: 8 }, () => ({ label: text.slice(0, 60), value: text })),
    why: text,
  });
}

/** An answer of the remote side. */
export const answer = (status: number, body: unknown = '', headers = {}): OutgoingResult => ({
  kind: 'answer',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  elapsedMs: 1,
});

interface Exchange {
  attempted: AttemptResult;
  requests: OutgoingRequest[];
}

interface Options {
  message?: Message;
  previous?: RemoteMessage | null;
  acceptedBy?: string[];
  services?: Partial<ChannelServices>;
}

/** Runs one attempt against a server that answers each request by `respond`. */
export async function exchange(
  channel: AnyChannel,
  config: ChannelConfig,
  respond: (request: OutgoingRequest) => OutgoingResult,
  { message = messageOf(), previous = null, acceptedBy = [], services = {} }: Options = {},
): Promise<Exchange> {
  const requests: OutgoingRequest[] = [];
  const given = {
    config,
    message,
    previous,
    organizationId: ORGANIZATION_ID,
    acceptedBy,
    nowMs: NOW_MS,
    services: {
      version: '1',
      sendMail: null,
      pushToBrowsers: async () => [],
      mayMail: async () => true,
      ...services,
    },
  };
  const attempted = await attempt(channel, given, async (request) => {
    requests.push(request);
    return respond(request);
  });
  return { attempted, requests };
}

/**
 * Returns the JSON body of a request, checked strictly against what the remote side's documentation allows.
 */
export function readBody<T extends TSchema>(schema: T, request: OutgoingRequest | undefined): Static<T> {
  const body: unknown = JSON.parse(String(request?.body));
  const [error] = Value.Errors(schema, body);
  if (error) throw new Error(`${error.instancePath} ${error.message}: ${JSON.stringify(body).slice(0, 300)}`);
  // Checked above.
  return body as Static<T>;
}

export const strict = <T extends Parameters<typeof Type.Object>[0]>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
