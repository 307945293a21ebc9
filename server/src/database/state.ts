/**
 * What a process knows of its database without asking it: only where the database comes along is anything known.
 * The sentences are public.
 */
export interface DatabaseState {
  /** Why the database cannot answer at this moment; null: nothing is known that keeps it from answering. */
  findOutage: () => string | null;
  /** Why no events may be taken in; null: they may. An outage is one of the reasons. */
  findIntakeRefusal: () => string | null;
  /** Whether there is room for storing the events that wait in the queue. */
  hasRoomToStore: () => boolean;
}

/** The state of an external database. */
export const OUTSIDE_DATABASE: DatabaseState = {
  findOutage: () => null,
  findIntakeRefusal: () => null,
  hasRoomToStore: () => true,
};
