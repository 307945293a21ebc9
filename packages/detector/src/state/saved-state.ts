import { ALARM_FLOATS } from './alarm-record.ts';
import { EVIDENCE } from './evidence-code.ts';
import { readHalf, writeHalf } from './half-float.ts';
import { type Encoding, FLOAT_BYTES, sizeOf, type ValueRun } from './layout-fields.ts';
import type { RecordPlace } from './record-memory.ts';
import type { SeriesLayout } from './series-layout.ts';

/** What is saved of a series: its state, and the record of its alarm where it has one. */
export interface SavedParts {
  state: RecordPlace;
  alarm: RecordPlace | null;
}

/** The saved form of what lies in memory. */
export function toSaved(layout: SeriesLayout, { state, alarm }: SavedParts): Uint8Array {
  const bytes = new Uint8Array(layout.end);
  const floats = new Float32Array(bytes.buffer);
  for (const run of layout.runs) {
    if (run.encoding === 'byte') {
      const first = state.start + run.kept;
      bytes.set(state.bytes.subarray(first, first + run.length), run.saved);
    } else saveNumbers(run, state, floats);
  }
  if (alarm) floats.set(floatsOf(alarm, 0, ALARM_FLOATS), layout.savedAlarm / FLOAT_BYTES);
  return bytes;
}

function saveNumbers(
  { encoding, saved, kept, length }: ValueRun,
  state: RecordPlace,
  floats: Float32Array,
): void {
  const first = saved / FLOAT_BYTES;
  if (encoding === 'float') floats.set(floatsOf(state, kept, length), first);
  else
    for (let i = 0; i < length; i++)
      floats[first + i] = readEncoded(encoding, state.bytes, placeOf(state, encoding, kept, i));
}

/**
 * Fills what lies in memory from its saved form.
 * @param needAlarm called where the saved form has one
 */
export function fromSaved(
  saved: Uint8Array,
  layout: SeriesLayout,
  state: RecordPlace,
  needAlarm: () => RecordPlace,
): void {
  const { end } = layout;
  if (saved.length !== end) throw new RangeError(`A series is ${end} bytes, not ${saved.length}.`);
  const bytes = new Uint8Array(end);
  bytes.set(saved);
  const floats = new Float32Array(bytes.buffer);
  for (const { encoding, saved: first, kept, length } of layout.runs) {
    if (encoding === 'byte') {
      state.bytes.set(bytes.subarray(first, first + length), state.start + kept);
      continue;
    }
    const values = floats.subarray(first / FLOAT_BYTES, first / FLOAT_BYTES + length);
    if (encoding === 'float') floatsOf(state, kept, length).set(values);
    else
      values.forEach((value, i) =>
        writeEncoded(encoding, state.bytes, placeOf(state, encoding, kept, i), value),
      );
  }
  const alarm = floats.subarray(
    layout.savedAlarm / FLOAT_BYTES,
    layout.savedAlarm / FLOAT_BYTES + ALARM_FLOATS,
  );
  if (alarm.some((value) => value !== 0)) floatsOf(needAlarm(), 0, ALARM_FLOATS).set(alarm);
}

function floatsOf({ floats, start }: RecordPlace, first: number, length: number): Float32Array {
  const at = start / FLOAT_BYTES + first;
  return floats.subarray(at, at + length);
}

function placeOf({ start }: RecordPlace, encoding: Encoding, kept: number, index: number): number {
  return start + kept + index * sizeOf(encoding);
}

/** A number that is kept in one byte, as evidence, or in two. */
function readEncoded(encoding: Encoding, bytes: Uint8Array, at: number): number {
  if (encoding === 'evidence') return EVIDENCE.decode(bytes[at] as number); // places lie within
  return readHalf(bytes, at);
}

function writeEncoded(encoding: Encoding, bytes: Uint8Array, at: number, value: number): void {
  if (encoding === 'evidence') bytes[at] = EVIDENCE.encode(value);
  else writeHalf(bytes, at, value);
}
