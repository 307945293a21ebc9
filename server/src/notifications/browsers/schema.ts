import { type Static, Type } from 'typebox';
import { IdText, Nullable, Timestamp } from '../../http/schemas.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import type { BrowserRow } from '../channels/webpush/browser.ts';

const Endpoint = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'The address at the push service. A secret: no answer holds it.',
  examples: ['https://push.example.com/send/3fT9…'],
});

export const SubscriptionBody = Type.Object(
  {
    endpoint: Endpoint,
    keys: Type.Object({
      p256dh: Type.String({ maxLength: 200, description: '65 bytes in base64url.' }),
      auth: Type.String({ maxLength: 100, description: '16 bytes in base64url.' }),
    }),
  },
  { description: 'Result of `PushSubscription.toJSON()` in the browser.' },
);

export const EndpointBody = Type.Object({ endpoint: Endpoint });

export const PushKey = Type.Object({
  publicKey: Type.String({
    description: 'The `applicationServerKey` of `PushManager.subscribe()`: VAPID, in base64url.',
  }),
});

export const Browser = Type.Object({
  id: Type.String({ examples: ['brw_01h455vb4pex5vsknk084sn02q'] }),
  userAgent: Nullable(Type.String({ description: 'The `User-Agent`, cut to 200 characters.' })),
  host: Type.String({ description: 'Host of its push service.', examples: ['fcm.googleapis.com'] }),
  state: Type.Enum(['unused', 'working', 'failing', 'logged_out'], {
    description:
      '`unused`: nothing was sent yet. `logged_out`: nothing is sent until you log in there again. `failing`: `lastFailure` says why.',
  }),
  lastSuccessAt: Nullable(Timestamp),
  lastFailure: Nullable(Type.String()),
  publicKey: Type.String({
    description:
      'Key that it was turned on with. If `GET /web-push/key` answers another one, subscribe again.',
  }),
  createdAt: Timestamp,
});

export const BrowserId = Type.Object({ id: IdText });

export function toBrowser(row: BrowserRow): Static<typeof Browser> {
  return {
    id: toId('brw', row.id),
    userAgent: row.userAgent,
    host: row.host,
    state: stateOf(row),
    lastSuccessAt: row.lastSuccessAt && isoTime(row.lastSuccessAt),
    lastFailure: row.failingSince ? row.lastFailure : null,
    publicKey: row.publicKey,
    createdAt: isoTime(row.createdAt),
  };
}

function stateOf({ isActive, failingSince, lastSuccessAt }: BrowserRow): Static<typeof Browser>['state'] {
  if (!isActive) return 'logged_out';
  if (failingSince) return 'failing';
  return lastSuccessAt ? 'working' : 'unused';
}
