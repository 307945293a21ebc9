/**
 * Local knowledge of the database's state, without a query: only an embedded database provides any. The sentences are
 * public.
 */
export interface DatabaseState {
  /** Returns why the database cannot answer at this moment; null: no obstacle is known. */
  findOutage: () => string | null;
  /** Returns why no events may be accepted; null: they may. An outage is one of the reasons. */
  findIntakeRefusal: () => string | null;
  /** Returns true if there is room for storing the events that wait in the queue. */
  hasRoomToStore: () => boolean;
}

/** The state of an external database. */
export const OUTSIDE_DATABASE: DatabaseState = {
  findOutage: () => null,
  findIntakeRefusal: () => null,
  hasRoomToStore: () => true,
};
