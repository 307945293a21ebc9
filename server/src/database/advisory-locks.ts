/**
 * All advisory locks of the program. Processes of several versions run on one database, so a number never changes its
 * meaning. If a transaction acquires several locks, the order is: `frames` or `merges` first, then rows; a
 * transaction that holds `merges` acquires `frames` after the rows of its groups, and one that stores notifications of
 * alerts after the rows of its batch, none of which a holder of `frames` locks.
 */
export const ADVISORY_LOCKS = {
  /** Lock of the session: migrations run one after the other, on any machine. */
  migrations: 7_052_026,
  /** Partitions of `events` are created by one transaction at a time. */
  partitions: 7_052_027,
  /** Frames are written by one transaction at a time, so that the order of their ids is the order of commits. */
  frames: 7_052_028,
  /** With a hash of the account: guesses at its password are counted one after the other. */
  loginFailures: 7_052_029,
  /** With a hash of the project: its groups are merged and separated by one transaction at a time. */
  merges: 7_052_030,
  /** While sign-up is not open to all, one transaction at a time creates the first user. */
  firstSignUp: 7_052_031,
  /** Copies of counts by the hour are written by one transaction at a time, which takes it before any row. */
  hours: 7_052_032,
  /** Events that a project keeps for less time than others are removed by one transaction at a time. */
  expiry: 7_052_033,
} as const;
