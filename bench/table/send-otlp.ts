export const RECORDS_A_REQUEST = 512;
export const SENDERS = 4;

export type OtlpFormat = 'protobuf' | 'json';

const MEDIA_TYPES = { protobuf: 'application/x-protobuf', json: 'application/json' };
const TEXT = 'Order 48213 was paid with card ending 4242';
const TRACE_ID = '5b8efff798038103d269b633813fc60c';
const SPAN_ID = 'eee19b7ec3c1b174';
const ATTRIBUTES = { order_id: 'ord_48213', 'user.id': 'usr_77', currency: 'EUR', sku: 'A-1' };
const RESOURCE = {
  'service.name': 'shop',
  'service.version': '1.4.2',
  'service.instance.id': 'shop-7f9c',
  'telemetry.sdk.language': 'nodejs',
};

/** Returns a batch of records of one time: a batch of another time is no repeat. */
export function makeBatch(format: OtlpFormat, timeMs: number): Uint8Array<ArrayBuffer> {
  const nanos = BigInt(timeMs) * 1_000_000n;
  if (format === 'json') return new Uint8Array(Buffer.from(JSON.stringify(jsonOf(String(nanos)))));
  const time = Buffer.alloc(9);
  time[0] = (1 << 3) | 1;
  time.writeBigUInt64LE(nanos, 1);
  const record = Buffer.concat([
    time,
    Buffer.from([2 << 3, 9]),
    delimited(5, delimited(1, TEXT)),
    ...Object.entries(ATTRIBUTES).map((pair) => delimited(6, keyValue(pair))),
    delimited(9, Buffer.from(TRACE_ID, 'hex')),
    delimited(10, Buffer.from(SPAN_ID, 'hex')),
  ]);
  const resource = Buffer.concat(Object.entries(RESOURCE).map((pair) => delimited(1, keyValue(pair))));
  const records = Array.from({ length: RECORDS_A_REQUEST }, () => delimited(2, record));
  const scope = Buffer.concat([delimited(1, delimited(1, 'shop')), ...records]);
  return new Uint8Array(delimited(1, Buffer.concat([delimited(1, resource), delimited(2, scope)])));
}

/**
 * Sends batches by four senders that each wait for their answer.
 * @throws where an answer is no 200
 */
export async function sendOtlp(
  url: string,
  apiKey: string,
  format: OtlpFormat,
  batches: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  const left = [...batches];
  const headers = { 'content-type': MEDIA_TYPES[format], 'x-api-key': apiKey };
  const sender = async () => {
    for (let body = left.pop(); body; body = left.pop()) {
      const answer = await fetch(`${url}/v1/logs`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`A batch was answered with ${answer.status}.`);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
}

function jsonOf(timeUnixNano: string): object {
  const listOf = (attributes: Record<string, string>) =>
    Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const record = {
    timeUnixNano,
    severityNumber: 9,
    body: { stringValue: TEXT },
    attributes: listOf(ATTRIBUTES),
    traceId: TRACE_ID,
    spanId: SPAN_ID,
  };
  const logRecords = Array.from({ length: RECORDS_A_REQUEST }, () => record);
  const resource = { attributes: listOf(RESOURCE) };
  return { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'shop' }, logRecords }] }] };
}

function keyValue([key, value]: [string, string]): Buffer {
  return Buffer.concat([delimited(1, key), delimited(2, delimited(1, value))]);
}

/** Field of a text or a message in Protocol Buffers. */
function delimited(field: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value);
  const head = [(field << 3) | 2];
  for (let rest = bytes.length; ; rest >>>= 7) {
    head.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) return Buffer.concat([Buffer.from(head), bytes]);
  }
}
