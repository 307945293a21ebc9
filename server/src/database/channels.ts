/**
 * All NOTIFY channels. A notification is a latency hint without content: the listener polls, too. Processes of
 * several versions share a database, so a name never changes its meaning.
 */
export const CHANNELS = {
  /** Frames of incidents were written. */
  incidents: 'tocsin_incidents',
  /** Groups changed; releases and deploys appeared. The migration `live_updates` names it, too. */
  updates: 'tocsin_updates',
  /** Sessions ended, or users changed their organization. */
  sessions: 'tocsin_sessions',
  /** Notifications were put into the outbox. */
  deliveries: 'tocsin_deliveries',
  /** Viewers of further organizations watch events as they arrive. */
  watchers: 'tocsin_watchers',
} as const;

export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS];
