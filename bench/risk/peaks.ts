/** A rule that has fired is not counted again for so long: repetitions are no further false alarms. */
const REFRACTORY_MINUTES = 60;

/** The largest values of episodes that are an hour apart: as many as exceed a threshold are its false alarms. */
export class Peaks {
  readonly values: number[] = [];
  #untilMinute = -1;

  add(minute: number, value: number): void {
    const last = this.values.length - 1;
    if (minute < this.#untilMinute) {
      this.values[last] = Math.max(this.values[last] ?? value, value);
      return;
    }
    this.values.push(value);
    this.#untilMinute = minute + REFRACTORY_MINUTES;
  }
}
