import type { AnyChannel } from './channel.ts';
import { webhook } from './webhook/webhook.ts';

/** Every kind of target, by its name in the API. */
export const CHANNELS = { webhook } as const satisfies Record<string, AnyChannel>;

export type ChannelKind = keyof typeof CHANNELS;
export const CHANNEL_KINDS = Object.keys(CHANNELS) as [ChannelKind, ...ChannelKind[]];
