import { createSendMail } from '../mail/send-mail.ts';
import type { ChannelServices } from '../notifications/channels/services.ts';
import { createLinks, type Links } from '../notifications/messages/links.ts';
import { AddressRules } from '../notifications/outgoing/address-rules.ts';
import { createSendRequest, type SendRequest } from '../notifications/outgoing/send-request.ts';
import type { Encryption } from '../platform/encryption/encryption.ts';
import { readProgramVersion } from '../platform/version.ts';
import type { RoleContext } from './role.ts';

/** What notifications are sent with: the same for the worker and for tests of targets. */
export interface NotificationParts {
  encryption: Encryption;
  sendRequest: SendRequest;
  services: ChannelServices;
  links: Links;
}

export function createNotificationParts({
  config,
  encryption,
}: Pick<RoleContext, 'config' | 'encryption'>): NotificationParts {
  return {
    encryption,
    sendRequest: createSendRequest({ rules: new AddressRules(config.outboundAllow) }),
    services: { version: readProgramVersion(), sendMail: config.mail && createSendMail(config.mail) },
    links: createLinks(config.publicUrl),
  };
}
