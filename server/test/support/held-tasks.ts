import { KeyedQueue, type QueueOptions, type Refusal } from '../../src/platform/keyed-queue.ts';

/** Waits until all pending promises are settled. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve();
}

/** Starts a queue whose tasks the test ends. The first letter of a task's name is its key. */
export function startQueue(options: QueueOptions) {
  const queue = new KeyedQueue(options);
  const begun: string[] = [];
  const outcomes: string[] = [];
  const ends = new Map<string, () => void>();
  const aborts = new Map<string, AbortController>();
  const add = async (name: string, bytes = 1) => {
    const leaving = new AbortController();
    aborts.set(name, leaving);
    const refuse = (refusal: Refusal) => new Error(refusal);
    const task = { key: name.charAt(0), bytes, signal: leaving.signal, refuse };
    const work = () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    };
    queue.run(task, work).then(
      () => outcomes.push(`${name} done`),
      (error: Error) => outcomes.push(`${name} ${error.message}`),
    );
    await settle();
  };
  const addAll = async (...names: string[]) => {
    for (const name of names) await add(name);
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  const abort = async (name: string) => {
    aborts.get(name)?.abort(new Error('left'));
    await settle();
  };
  /** Ends all tasks in the order in which they began. */
  const endAll = async () => {
    for (let index = 0; index < begun.length; index++) await end(begun[index] ?? '');
  };
  return { queue, begun, outcomes, add, addAll, end, abort, endAll };
}
