import { describe, expect, it } from 'vitest';
import { RecordMemory } from './record-memory.ts';

const RECORD_BYTES = 20;
const ZEROS = Array.from({ length: RECORD_BYTES }, () => 0);

function fill(memory: RecordMemory, record: number, value: number): void {
  const { bytes, start } = memory.at(record);
  bytes.fill(value, start, start + RECORD_BYTES);
}

function valuesOf(memory: RecordMemory, record: number): number[] {
  const { bytes, start } = memory.at(record);
  return [...bytes.subarray(start, start + RECORD_BYTES)];
}

function takeMany(memory: RecordMemory, count: number): number[] {
  return Array.from({ length: count }, () => memory.take());
}

describe('the memory of records', () => {
  it('gives each record a place of its own that begins with zeros, at a multiple of eight bytes', () => {
    const memory = new RecordMemory(RECORD_BYTES);
    const records = takeMany(memory, 500);
    for (const record of records) {
      expect(memory.at(record).start % 8).toBe(0);
      expect(valuesOf(memory, record)).toEqual(ZEROS);
    }
    records.forEach((record, at) => fill(memory, record, at % 256));
    records.forEach((record, at) => {
      expect(valuesOf(memory, record)).toEqual(ZEROS.map(() => at % 256));
    });
  });

  it('allocates at most a quarter more than there are records, and one', () => {
    const memory = new RecordMemory(8);
    const buffers = new Set<ArrayBufferLike>();
    for (let records = 1; records <= 200; records++) {
      buffers.add(memory.at(memory.take()).bytes.buffer);
      const bytes = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
      expect(bytes / 8).toBeLessThanOrEqual(1.25 * records + 1);
    }
  });

  it('takes few buffers for many small records, and more for large ones', () => {
    const buffersOf = (bytes: number) => {
      const memory = new RecordMemory(bytes);
      return new Set(takeMany(memory, 500).map((record) => memory.at(record).bytes.buffer)).size;
    };
    expect(buffersOf(400)).toBeLessThan(30);
    expect(buffersOf(1_700)).toBeLessThan(45);
    expect(buffersOf(1_700)).toBeGreaterThan(buffersOf(400));
  });

  it('gives the place of a record that is gone to another one, with zeros again', () => {
    const memory = new RecordMemory(RECORD_BYTES);
    const records = takeMany(memory, 40);
    for (const record of records) fill(memory, record, 7);
    const gone = [3, 39, 17].map((at) => records[at] as number); // there are 40
    for (const record of gone) memory.giveBack(record);
    const next = takeMany(memory, 40);
    expect(gone.filter((record) => !next.includes(record))).toEqual([]);
    for (const record of next) expect(valuesOf(memory, record)).toEqual(ZEROS);
    const others = records.filter((record) => !gone.includes(record));
    for (const record of others) expect(valuesOf(memory, record)).toEqual(ZEROS.map(() => 7));
  });

  it('releases a buffer whose records are all gone', () => {
    const memory = new RecordMemory(RECORD_BYTES);
    const records = takeMany(memory, 40);
    const buffers = new Set(records.map((record) => memory.at(record).bytes.buffer));
    for (const record of records) memory.giveBack(record);
    expect(buffers.has(memory.at(memory.take()).bytes.buffer)).toBe(false);
  });
});
