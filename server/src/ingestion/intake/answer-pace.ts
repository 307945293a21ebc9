import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppendResult } from '../../queue/queue.ts';
import type { WaitingRequest } from './waiting-lines.ts';

/** All of a commit: fewer a turn lower the rate of many connections. */
const ANSWERS = Number.POSITIVE_INFINITY;
const ANSWERS_BESIDE_CONNECTIONS = 2;
/** Number of small turns after a connection: commits may be answered in turns that bring none, although more wait. */
const SMALL_TURNS = 8;

/**
 * Number of requests that are answered in a turn of the event loop. A client sends its next request when it has its
 * answer, so a turn reads about as many requests as the previous one answered: answers determine the length of turns.
 * The loop reads other senders once a turn, and libuv accepts one connection a turn: while connections come, turns
 * are as short as possible.
 */
export class AnswerPace {
  #smallTurns = 0;

  /** Called for each new connection. */
  noteConnection(): void {
    this.#smallTurns = SMALL_TURNS;
  }

  /** Number of requests that may be answered in this turn. */
  take(): number {
    if (this.#smallTurns === 0) return ANSWERS;
    this.#smallTurns--;
    return ANSWERS_BESIDE_CONNECTIONS;
  }
}

/** Resolves requests in their order, in each turn of the event loop as many as allowed. */
export async function resolveInTurns(
  batch: readonly WaitingRequest[],
  results: readonly AppendResult[],
  takeAnswers: () => number,
): Promise<void> {
  let answers = takeAnswers();
  for (const [index, { resolve, reject }] of batch.entries()) {
    if (answers === 0) {
      await nextTurn();
      answers = takeAnswers();
    }
    answers--;
    const result = results[index];
    if (result) resolve(result);
    else reject(new Error('The queue returned fewer results than items.'));
  }
}
