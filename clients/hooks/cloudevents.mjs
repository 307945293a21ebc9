import { CloudEvent, emitterFor, httpTransport, Mode } from 'cloudevents';

const transport = httpTransport(`${process.env.INGEST_URL}/ingest/cloudevents`);
const headers = { 'x-api-key': process.env.API_KEY };
const order = new CloudEvent({
  id: '1',
  source: 'https://shop.example/orders',
  type: 'order.created',
  subject: 'Grüße',
  severity: 'warn',
  data: { order_id: 'ord_1' },
});
await emitterFor(transport, { mode: Mode.BINARY })(order, { headers });

// The package has written the subject as it is, although the specification wants it percent-encoded.
const { source } = order;
const structured = new CloudEvent({ id: '2', source, type: 'order.paid', data: { message: 'Paid' } });
await emitterFor(transport, { mode: Mode.STRUCTURED })(structured, { headers });
