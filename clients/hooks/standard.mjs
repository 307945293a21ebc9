import { Webhook } from 'standardwebhooks';
import { send } from './send.mjs';

const body = JSON.stringify({ type: 'invoice.paid', data: { invoice_id: 'in_1' } });
const now = new Date();
await send(body, {
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
  'webhook-signature': new Webhook(process.env.HOOK_SECRET).sign('msg_1', now, body),
});
