import type { Links } from '../messages/links.ts';
import type { Message } from '../messages/message.ts';
import type { RouteRow } from '../routing/route.ts';
import type { TargetRow } from '../targets/target.ts';

/** A message about the current state of its subject, with the status that its thread stores. */
export interface ComposedMessage {
  message: Message;
  status: string;
}

export interface MessageInput {
  target: TargetRow;
  links: Links;
  /** Routes by their ids; deleted ones are missing. */
  routes: ReadonlyMap<string, RouteRow>;
  /** True if the target received a message about the subject before. */
  isKnown: boolean;
  now: Date;
  /** Confirmed time. */
  confirmed: Date;
}
