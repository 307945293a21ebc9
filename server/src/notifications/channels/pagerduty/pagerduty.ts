import { type Static, Type } from 'typebox';
import { isoTime } from '../../../platform/time.ts';
import type { Message } from '../../messages/message.ts';
import { defineChannel } from '../base/channel.ts';
import { cutText } from '../base/cut.ts';
import { interpretOnly, jsonRequest, readObject } from '../base/json-request.ts';
import { bodyText, OPEN_LABEL, SILENCE_LABEL } from '../base/message-text.ts';
import type { Outcome } from '../base/outcome.ts';

const HOSTS = { us: 'events.pagerduty.com', eu: 'events.eu.pagerduty.com' } as const;
const MAX_SUMMARY = 1_024;
const MAX_DETAILS = 20_000;

const Config = Type.Object({
  routingKey: Type.String({
    description: 'The integration key of a service: integrations, Events API v2.',
    pattern: '^[A-Za-z0-9]{32}$',
  }),
  region: Type.Optional(Type.Enum(['us', 'eu'], { default: 'us', description: 'Region of the account.' })),
});
type Config = Static<typeof Config>;

const SEVERITIES: Record<Message['severity'], string> = {
  info: 'info',
  warn: 'warning',
  error: 'error',
  critical: 'critical',
};

/**
 * Events API v2 (https://developer.pagerduty.com/docs/events-api-v2/trigger-events): one alert per incident.
 */
export const pagerduty = defineChannel<Config>({
  transport: 'http',
  label: 'PagerDuty',
  schema: Config,
  fields: { routingKey: 'secret', region: 'address' },
  check: () => [],
  describe: ({ region = 'us' }) => HOSTS[region],
  // PagerDuty allows 120 a minute per integration.
  rate: { burst: 10, perSecond: 2 },
  // Acknowledgements and new severities update the existing alert, by its key.
  canEdit: () => true,
  render: ({ config: { routingKey, region = 'us' }, message, services }) => {
    const url = `https://${HOSTS[region]}/v2/enqueue`;
    return actionsOf(message).map((action) =>
      jsonRequest('POST', url, toEvent(message, routingKey, action), { services }),
    );
  },
  interpret: (results, { message, nowMs }) => {
    const outcomes = results.map((result) => interpretOnly([result], toDelivered(message), nowMs));
    return outcomes.find(({ kind }) => kind !== 'delivered') ?? toDelivered(message)({ body: '{}' });
  },
});

type Action = 'trigger' | 'acknowledge' | 'resolve';

/**
 * Lists the actions of a message. A test is resolved at once: it alerts a person, and leaves nothing to do.
 */
function actionsOf({ state, type }: Message): Action[] {
  if (type === 'test') return ['trigger', 'resolve'];
  if (state === 'resolved') return ['resolve'];
  return state === 'acknowledged' ? ['acknowledge'] : ['trigger'];
}

function toEvent(message: Message, routingKey: string, action: Action): object {
  const { threadId, headline, severity, project, url, silenceUrl, at, facts } = message;
  const event = { routing_key: routingKey, event_action: action, dedup_key: threadId };
  if (action !== 'trigger') return event;
  return {
    ...event,
    client: 'Tocsin',
    ...(url !== null && {
      client_url: url,
      links: [
        { href: url, text: OPEN_LABEL },
        ...(silenceUrl === null ? [] : [{ href: silenceUrl, text: SILENCE_LABEL }]),
      ],
    }),
    payload: {
      summary: cutText(headline, MAX_SUMMARY),
      source: cutText(project?.name ?? 'Tocsin', MAX_SUMMARY),
      severity: SEVERITIES[severity],
      timestamp: isoTime(at),
      custom_details: {
        ...Object.fromEntries(facts.map(({ label, value }) => [label, cutText(value, MAX_SUMMARY)])),
        text: cutText(bodyText(message), MAX_DETAILS),
      },
    },
  };
}

function toDelivered({ threadId }: Message) {
  return (answer: { body: string }): Outcome => {
    const { status, message } = readObject(answer);
    if (status === undefined || status === 'success') {
      return { kind: 'delivered', remote: { dedupKey: threadId } };
    }
    const reason = `PagerDuty answered “${(typeof message === 'string' ? message : 'no reason').slice(0, 200)}”.`;
    return { kind: 'permanent', reason, isTargetRefused: false };
  };
}
