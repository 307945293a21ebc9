import Stripe from 'stripe';
import { send } from './send.mjs';

const stripe = new Stripe('sk_test_of_no_account');
const payload = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'charge.failed',
  livemode: true,
  created: Math.floor(Date.now() / 1_000),
  data: {
    object: {
      id: 'ch_1',
      object: 'charge',
      amount: 4_210,
      currency: 'eur',
      customer: 'cus_1',
      failure_message: 'Your card was declined.',
      metadata: { order_id: 'ord_1' },
    },
  },
});
const secret = process.env.HOOK_SECRET;
await send(payload, { 'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret }) });
