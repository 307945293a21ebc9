import type { TSchema } from 'typebox';
import type { Message } from '../messages/message.ts';
import type { OutgoingRequest, OutgoingResult } from '../outgoing/send-request.ts';
import type { Outcome, RemoteMessage } from './outcome.ts';
import type { ChannelServices } from './services.ts';

/** How a target is configured, secrets included: an object that fits the channel's schema. */
export type ChannelConfig = Record<string, unknown>;

/** What an attempt is made of. */
export interface Attempt<Config> {
  config: Config;
  message: Message;
  /** The message of the same thread that was sent before and can be edited; null: there is none. */
  previous: RemoteMessage | null;
  /** Of the target. A UUID. */
  organizationId: string;
  /** Of a target with several recipients: the ids of those that have the message from an attempt before. */
  acceptedBy: readonly string[];
  nowMs: number;
  services: ChannelServices;
}

/**
 * What a field of a configuration is. An address says where messages go: where its host changes, the secrets that are sent there
 * have to be entered again, or a user who may change a target could have them sent to a server of their own.
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
  /** As users read it: "Slack". */
  label: string;
  /** Of the whole configuration. Its descriptions are the hints of the form. */
  schema: TSchema;
  /** Role of each field. */
  fields: { readonly [Name in keyof Config & string]-?: FieldRole };
  /** Fields made from the others, which people may see; missing: there are none. */
  derive?: (config: Config) => Partial<Config>;
  /** What the schema cannot say. @returns a sentence for each field that is wrong */
  check: (config: Config) => { field: keyof Config & string; message: string }[];
  /**
   * Completes what a user has chosen, at the creation of a target.
   * @returns what its answer shows once, such as the secret that signs
   */
  complete?: (config: Config) => { config: Config; shownOnce: Record<string, string> };
  /** The target for people without any secret, such as its host. */
  describe: (config: Config) => string;
  /** Address of mail, whose owner has to confirm it before anything is sent there; missing: the channel sends no mail. */
  recipientOf?: (config: Config) => string;
  /** How fast it takes messages: edits count as well. */
  rate: { burst: number; perSecond: number };
  /** Whether a message can be brought up to date once it was sent. */
  canEdit: (config: Config) => boolean;
}

/** A channel of HTTP requests: pure functions around what `sendRequest` does. */
interface HttpChannel<Config> extends ChannelBase<Config> {
  transport: 'http';
  /** One request, or several that are sent one after the other. With `previous`, those that edit it. */
  render: (attempt: Attempt<Config>) => OutgoingRequest[] | Promise<OutgoingRequest[]>;
  /** @param results one for each request */
  interpret: (results: readonly OutgoingResult[], attempt: Attempt<Config>) => Outcome | Changed<Config>;
}

/** A channel of another protocol, such as mail. It keeps its own time limits, and never throws for what the other side does. */
interface DirectChannel<Config> extends ChannelBase<Config> {
  transport: 'direct';
  deliver: (attempt: Attempt<Config>) => Promise<{ outcome: Outcome; status: number | null; body: string }>;
}

/** An outcome together with a change of the configuration, such as the new id of a chat that has moved. */
interface Changed<Config> {
  kind: 'changed';
  outcome: Outcome;
  config: Config;
}

export type Channel<Config> = HttpChannel<Config> | DirectChannel<Config>;

/**
 * A channel for code that does not know its configuration. What is stored was checked against the schema, and nothing
 * but the channel itself looks into it.
 */
export type AnyChannel = Channel<ChannelConfig>;

export function defineChannel<Config>(channel: Channel<Config>): AnyChannel {
  // Only configurations that fit `schema` are ever handed to it.
  return channel as unknown as AnyChannel;
}
