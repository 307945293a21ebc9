import type { Config } from '../config.ts';
import type { Pool } from '../database/database.ts';
import { createSendMail } from '../mail/send-mail.ts';
import type { ChannelServices } from '../notifications/channels/base/services.ts';
import {
  createPushToBrowser,
  createPushToBrowsers,
  type PushToBrowser,
} from '../notifications/channels/webpush/push-to-browsers.ts';
import { createLinks, type Links } from '../notifications/messages/links.ts';
import { AddressRules } from '../notifications/outgoing/address-rules.ts';
import { createResolve } from '../notifications/outgoing/look-up-names.ts';
import { createSendRequest, type SendRequest } from '../notifications/outgoing/send-request.ts';
import { isRecipient } from '../notifications/recipients/queries.ts';
import type { Encryption } from '../platform/encryption/encryption.ts';
import { lookUpBySystem } from '../platform/system-lookup.ts';
import { readProgramVersion } from '../platform/version.ts';
import { normalizeEmail } from '../tenancy/email.ts';
import type { RoleContext } from './role.ts';

/** Parts for sending notifications: the same for the worker and for tests of targets. */
export interface NotificationParts {
  encryption: Encryption;
  sendRequest: SendRequest;
  services: ChannelServices;
  links: Links;
  pushToBrowser: PushToBrowser;
}

export function createNotificationParts(
  {
    config,
    clock,
    encryption,
    monotonicMs,
    nameServers,
  }: Pick<RoleContext, 'config' | 'clock' | 'encryption' | 'monotonicMs' | 'nameServers'>,
  pool: Pool,
): NotificationParts {
  const { publicUrl, mail } = config;
  const version = readProgramVersion();
  const rules = new AddressRules(config.outboundAllow);
  const resolve = createResolve({ rules, nameServers, monotonicMs, lookUpBySystem });
  const sendRequest = createSendRequest({ rules, resolve });
  const pushing = { database: pool, clock, encryption, sendRequest, version, subject: pushSubject(config) };
  return {
    encryption,
    sendRequest,
    services: {
      version,
      sendMail: mail && createSendMail(mail),
      pushToBrowsers: createPushToBrowsers(pushing),
      mayMail: (organizationId, address) => isRecipient(pool, organizationId, normalizeEmail(address)),
    },
    links: createLinks(publicUrl),
    pushToBrowser: createPushToBrowser(pushing),
  };
}

/** Contact for operators of push services (RFC 8292, 2.1): some refuse messages without it. */
function pushSubject({ publicUrl, mail }: Pick<Config, 'publicUrl' | 'mail'>): string {
  if (publicUrl?.protocol === 'https:') return publicUrl.origin;
  const [address] = /[^\s<>]+@[^\s<>]+/.exec(mail?.from ?? '') ?? [];
  return `mailto:${address ?? 'operator@tocsin.invalid'}`;
}
