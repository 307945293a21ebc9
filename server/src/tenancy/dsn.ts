import { Type } from 'typebox';

export const Dsn = Type.String({
  description: 'Address and key in one text, for clients of Sentry, shown only once.',
  examples: ['https://tsn_live_4fT9xq2vW7yB1nD5kR8sH3jL6mP0aC9eG4uTzQ@events.shop.example/7'],
});

/** Returns the address that applications send events to, for the address by which a client reached the management API. */
export type IngestUrlOf = (reachedBy: { protocol: string; host: string }) => string;

export function toDsn(ingestUrl: string, rawKey: string, projectNumber: number): string {
  return `${ingestUrl.replace('://', `://${rawKey}@`)}/${projectNumber}`;
}
