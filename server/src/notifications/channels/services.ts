import type { SendMail } from '../../mail/send-mail.ts';
import type { PushToBrowsers } from './push.ts';

/**
 * What channels need of the installation beside the request itself: a field for each, such as the sender of mail. Null
 * where it is not configured.
 */
export interface ChannelServices {
  /** The service's version, for `User-Agent`. */
  version: string;
  /** Null without SMTP_URL. */
  sendMail: SendMail | null;
  pushToBrowsers: PushToBrowsers;
  /** Answers whether an address of mail wants the messages of an organization. */
  mayMail: (organizationId: string, address: string) => Promise<boolean>;
}
