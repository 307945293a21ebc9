import { describe, expect, it } from 'vitest';
import { RecordMemory, type RecordPlace } from './record-memory.ts';

const RECORD_BYTES = 20;

const fill = ({ bytes, start }: RecordPlace, value: number) => bytes.fill(value, start, start + RECORD_BYTES);
const valuesOf = ({ bytes, start }: RecordPlace) => [...bytes.subarray(start, start + RECORD_BYTES)];

describe('the memory of records', () => {
  it('gives each record a place of its own that begins with zeros, at a multiple of eight bytes', () => {
    const memory = new RecordMemory(RECORD_BYTES);
    const places = Array.from({ length: 100 }, () => memory.take());
    for (const place of places) {
      expect(place.start % 8).toBe(0);
      expect(valuesOf(place)).toEqual(Array.from({ length: RECORD_BYTES }, () => 0));
    }
    places.forEach(fill);
    places.forEach((place, value) => {
      expect(valuesOf(place)).toEqual(Array.from({ length: RECORD_BYTES }, () => value));
    });
  });

  it('allocates at most a quarter more than there are records, and one', () => {
    const memory = new RecordMemory(8);
    const buffers = new Set<ArrayBufferLike>();
    for (let records = 1; records <= 200; records++) {
      buffers.add(memory.take().bytes.buffer);
      const bytes = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
      expect(bytes / 8).toBeLessThanOrEqual(1.25 * records + 1);
    }
  });

  it('gives the place of a record that is gone to another one, with zeros again', () => {
    const memory = new RecordMemory(RECORD_BYTES);
    const places = Array.from({ length: 40 }, () => memory.take());
    const last = places.at(-1) as RecordPlace; // there are 40
    fill(last, 7);
    memory.giveBack(last);
    const next = memory.take();
    expect(next.bytes).toBe(last.bytes);
    expect(next.start).toBe(last.start);
    expect(valuesOf(next)).toEqual(Array.from({ length: RECORD_BYTES }, () => 0));
  });

  it('releases a buffer whose records are all gone', () => {
    const memory = new RecordMemory(RECORD_BYTES);
    const places = Array.from({ length: 40 }, () => memory.take());
    for (const place of places) memory.giveBack(place);
    const buffers = new Set<ArrayBufferLike>(places.map(({ bytes }) => bytes.buffer));
    expect(buffers.has(memory.take().bytes.buffer)).toBe(false);
  });

  it('refuses a place of other memory', () => {
    const place = new RecordMemory(RECORD_BYTES).take();
    expect(() => new RecordMemory(RECORD_BYTES).giveBack(place)).toThrow('other memory');
  });
});
