import type { AnyChannel } from './base/channel.ts';
import { discord } from './discord/discord.ts';
import { email } from './email/email.ts';
import { ntfy } from './ntfy/ntfy.ts';
import { pagerduty } from './pagerduty/pagerduty.ts';
import { slack } from './slack/slack.ts';
import { teams } from './teams/teams.ts';
import { telegram } from './telegram/telegram.ts';
import { webhook } from './webhook/webhook.ts';
import { webpush } from './webpush/webpush.ts';

/** All kinds of targets, by their names in the API. */
export const CHANNELS = {
  webhook,
  ntfy,
  slack,
  discord,
  telegram,
  teams,
  pagerduty,
  email,
  webpush,
} as const satisfies Record<string, AnyChannel>;

export type ChannelKind = keyof typeof CHANNELS;
export const CHANNEL_KINDS = Object.keys(CHANNELS) as [ChannelKind, ...ChannelKind[]];
