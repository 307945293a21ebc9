/**
 * The state is saved after this time, this many characters of rounds (and as many as its own bytes) or this much
 * work, whichever comes first.
 */
const SAVING_INTERVAL_MS = 5 * 60_000;
const MAX_ROUND_CHARACTERS = 4_000_000;
/**
 * Maximum unsaved updates (a series, a step), in rounds after a long absence: the next leader replays them, for a
 * minute.
 */
const MAX_UNSAVED_UPDATES = 30_000_000;

/** Decides when the detectors are saved: the next leader replays the rounds since then. */
export class SavingSchedule {
  #characters = 0;
  #updates = 0;
  #savedBytes = 0;
  #savedMs = 0;

  /** @param updates steps of the round, times the series that were evaluated */
  addRound(characters: number, updates: number): void {
    this.#characters += characters;
    this.#updates += updates;
  }

  isDue(nowMs: number): boolean {
    return (
      nowMs - this.#savedMs >= SAVING_INTERVAL_MS ||
      this.#updates > MAX_UNSAVED_UPDATES ||
      this.#characters > Math.max(MAX_ROUND_CHARACTERS, this.#savedBytes)
    );
  }

  onSaved(bytes: number, nowMs: number): void {
    this.#savedBytes = bytes;
    this.#characters = 0;
    this.#updates = 0;
    this.#savedMs = nowMs;
  }
}
