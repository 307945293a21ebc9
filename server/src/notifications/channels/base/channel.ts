import type { TSchema } from 'typebox';
import type { Message } from '../../messages/message.ts';
import type { OutgoingRequest, OutgoingResult } from '../../outgoing/send-request.ts';
import type { Outcome, RemoteMessage } from './outcome.ts';
import type { ChannelServices } from './services.ts';

/** Configuration of a target, secrets included: an object that fits the channel's schema. */
export type ChannelConfig = Record<string, unknown>;

/** Input of one attempt. */
export interface Attempt<Config> {
  config: Config;
  message: Message;
  /** Message of the same thread that was sent before and can be edited; null: there is none. */
  previous: RemoteMessage | null;
  /** UUID of the target's organization. */
  organizationId: string;
  /** For a target with several recipients: ids of those that received the message in an earlier attempt. */
  acceptedBy: readonly string[];
  nowMs: number;
  services: ChannelServices;
}

/**
 * Role of a field in a configuration. An address says where messages go. If its host changes, the secrets
 * that are sent there must be entered again: otherwise a user who may change a target could have them sent to
 * a server of their own.
 *
 * - `open`: stored and answered as it is
 * - `derived`: the same, made by the service from other fields
 * - `address`: the same, and an address
 * - `secret`: stored encrypted, never answered, and sent to the address
 * - `secret address`: a secret that is an address
 * - `signing key`: stored encrypted, never answered, and never sent
 */
export type FieldRole = 'open' | 'derived' | 'address' | 'secret' | 'secret address' | 'signing key';

interface ChannelBase<Config> {
  /** Name for users: "Slack". */
  label: string;
  /** Schema of the whole configuration. Its descriptions are the hints of the form. */
  schema: TSchema;
  /** Role of each field. */
  fields: { readonly [Name in keyof Config & string]-?: FieldRole };
  /** Derives public fields from the others; missing: there are none. */
  derive?: (config: Config) => Partial<Config>;
  /** Checks rules that the schema cannot express. @returns a sentence for each invalid field */
  check: (config: Config) => { field: keyof Config & string; message: string }[];
  /**
   * Completes the user's configuration when a target is created.
   * @returns values that the answer shows once, such as the secret that signs
   */
  complete?: (config: Config) => { config: Config; shownOnce: Record<string, string> };
  /** Describes the target without any secret, for example by its host. */
  describe: (config: Config) => string;
  /**
   * Returns the mail address, whose owner must confirm it before anything is sent there; missing: the channel
   * sends no mail.
   */
  recipientOf?: (config: Config) => string;
  /** Rate at which the channel accepts messages, edits included. */
  rate: { burst: number; perSecond: number };
  /** True if a sent message can be edited. */
  canEdit: (config: Config) => boolean;
}

/** Channel over HTTP: pure functions around `sendRequest`. */
interface HttpChannel<Config> extends ChannelBase<Config> {
  transport: 'http';
  /** Returns one request, or several to send one after the other. With `previous`, they edit that message. */
  render: (attempt: Attempt<Config>) => OutgoingRequest[] | Promise<OutgoingRequest[]>;
  /** @param results one for each request */
  interpret: (results: readonly OutgoingResult[], attempt: Attempt<Config>) => Outcome | ConfigChange<Config>;
}

/**
 * Channel over another protocol, such as mail. It keeps its own time limits, and never throws because of the
 * remote side.
 */
interface DirectChannel<Config> extends ChannelBase<Config> {
  transport: 'direct';
  deliver: (attempt: Attempt<Config>) => Promise<{ outcome: Outcome; status: number | null; body: string }>;
}

/** Outcome together with a changed configuration, such as the new id of a chat that has moved. */
interface ConfigChange<Config> {
  kind: 'changed';
  outcome: Outcome;
  config: Config;
}

export type Channel<Config> = HttpChannel<Config> | DirectChannel<Config>;

/**
 * Channel for code that does not know its configuration. Stored configurations were checked against the
 * schema, and only the channel itself reads them.
 */
export type AnyChannel = Channel<ChannelConfig>;

export function defineChannel<Config>(channel: Channel<Config>): AnyChannel {
  // Only configurations that fit `schema` are ever passed to it.
  return channel as unknown as AnyChannel;
}
