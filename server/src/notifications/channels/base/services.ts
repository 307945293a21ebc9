import type { SendMail } from '../../../mail/send-mail.ts';
import type { PushToBrowsers } from './push.ts';

/**
 * Services of the installation that channels need: a field each, such as the sender of mail. Null if not
 * configured.
 */
export interface ChannelServices {
  /** The service's version, for `User-Agent`. */
  version: string;
  /** Null without SMTP_URL. */
  sendMail: SendMail | null;
  pushToBrowsers: PushToBrowsers;
  /** Returns true if a mail address accepts the messages of an organization. */
  mayMail: (organizationId: string, address: string) => Promise<boolean>;
}
