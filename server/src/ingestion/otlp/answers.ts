import { MAX_REQUEST_CHARACTERS, MAX_REQUEST_EVENTS } from '../intake/limits.ts';
import type { ExportCounts, OtlpFormat } from './export-request.ts';
import type { Signal } from './messages.ts';

export const MEDIA_TYPES: Record<OtlpFormat, string> = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
};

/** Codes of gRPC by the status of HTTP, for `google.rpc.Status`. */
const GRPC_CODES: Partial<Record<number, number>> = {
  400: 3,
  401: 16,
  404: 12,
  413: 8,
  415: 3,
  429: 8,
  503: 14,
};
const UNKNOWN = 2;

/** Formats the answer to an export that was accepted: empty, or the number of rejected items with the reason. */
export function formatAcceptance(format: OtlpFormat, signal: Signal, counts: ExportCounts): string | Buffer {
  const rejected = counts.beyond + counts.unreadable + counts.overQuota;
  const isJson = format === 'json';
  if (rejected === 0) return isJson ? '{}' : Buffer.alloc(0);
  const errorMessage = wordRejection(counts, signal);
  // Numbers of 64 bits are texts in the JSON form of Protocol Buffers.
  if (isJson)
    return JSON.stringify({ partialSuccess: { [signal.rejected]: String(rejected), errorMessage } });
  return encodeBytes(
    1,
    Buffer.concat([encodeNumber(1, rejected), encodeBytes(2, Buffer.from(errorMessage))]),
  );
}

/** Formats a refusal as `google.rpc.Status`, whose message exporters log. */
export function formatStatus(format: OtlpFormat, status: number, message: string): string | Buffer {
  const code = GRPC_CODES[status] ?? UNKNOWN;
  if (format === 'json') return JSON.stringify({ code, message });
  return Buffer.concat([encodeNumber(1, code), encodeBytes(2, Buffer.from(message))]);
}

function wordRejection({ beyond, unreadable, overQuota }: ExportCounts, { kind }: Signal): string {
  const reasons = [
    beyond > 0 &&
      `${beyond} ${kind}s beyond what a request may hold (${MAX_REQUEST_EVENTS}, and ${MAX_REQUEST_CHARACTERS / 2 ** 20} MiB as events): export smaller batches`,
    unreadable > 0 && `${unreadable} that cannot be read as ${kind}s`,
    overQuota > 0 && `${overQuota} beyond the quota of the project or the key`,
  ];
  return `Not accepted: ${reasons.filter((reason) => reason !== false).join('; ')}.`;
}

function encodeNumber(field: number, value: number): Buffer {
  return Buffer.from([field << 3, ...encodeVarint(value)]);
}

function encodeBytes(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...encodeVarint(bytes.length)]), bytes]);
}

/** Encodes a number of at most 31 bits. */
function encodeVarint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
