import type { EventArchive } from '../../events/archive/event-archive.ts';

/** A step ends early: another process has the lease, so that what was read may be over, or this one stops. */
export class StepEndedError extends Error {
  override name = 'StepEndedError';
}

/** Circumstances under which a step goes on. */
interface Hold {
  /** @returns false if the lease is lost */
  renew: () => Promise<boolean>;
  /** @returns a signal that is aborted when the process stops */
  stopping: () => AbortSignal;
}

/**
 * The archive for the holder of a lease, which is renewed before each statement: a step of many statements may take longer than the
 * lease, and one that was interrupted for long neither inserts nor removes anything. A statement that is under way when the process
 * stops may still be carried out, as after a crash.
 */
export function holdDuring(archive: EventArchive, { renew, stopping }: Hold): EventArchive {
  const hold = async <Result>(statement: () => Promise<Result>): Promise<Result> => {
    if (!(await renew())) throw new StepEndedError('Another process has the lease of the archive.');
    return unlessStopped(statement, stopping());
  };
  return {
    ...archive,
    query: (...asked) => hold(() => archive.query(...asked)),
    migrate: () => hold(() => archive.migrate()),
    insertBlock: (...asked) => hold(() => archive.insertBlock(...asked)),
    findBlock: (...asked) => hold(() => archive.findBlock(...asked)),
    deleteBlock: (...asked) => hold(() => archive.deleteBlock(...asked)),
    dropWeek: (...asked) => hold(() => archive.dropWeek(...asked)),
    deleteEvents: (...asked) => hold(() => archive.deleteEvents(...asked)),
    listWeeks: () => hold(() => archive.listWeeks()),
  };
}

function unlessStopped<Result>(statement: () => Promise<Result>, stopping: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new StepEndedError('The process stops.'));
    if (stopping.aborted) return end();
    stopping.addEventListener('abort', end, { once: true });
    statement()
      .then(resolve, reject)
      .finally(() => stopping.removeEventListener('abort', end));
  });
}
