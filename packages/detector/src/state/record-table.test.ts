import { describe, expect, it } from 'vitest';
import { RecordTable } from './record-table.ts';
import { defineView } from './record-view.ts';

const View = defineView({ flag: 'flag', single: 'float', time: 'double', counts: 3 });

function viewOf(table: RecordTable, index: number) {
  return new View(table.buffer, table.firstOf(index));
}

describe('records by index', () => {
  it('knows which indices have one, in ascending order', () => {
    const table = new RecordTable(2);
    for (const index of [4, 1, 7]) table.add(index);
    expect([table.indices(), table.size, table.count]).toEqual([[1, 4, 7], 8, 3]);
    table.remove(4);
    expect([table.indices(), table.has(4), table.has(99), table.count]).toEqual([[1, 7], false, false, 2]);
  });

  it('keeps all fields of all records while it grows, after removals, and after saving and loading', () => {
    const table = new RecordTable(View.floats);
    const first = () => viewOf(table, 0);
    table.add(0);
    const early = first();
    early.time = 1;
    for (let index = 1; index < 100; index++) {
      table.add(index);
      const view = viewOf(table, index);
      Object.assign(view, { flag: index % 2 === 0, single: index / 2, time: 1e12 + index });
      view.setCounts(2, -index);
    }
    for (let index = 10; index < 30; index++) table.remove(index);
    for (let index = 20; index < 25; index++) table.add(index);
    // A view outlives the buffer that it began with.
    expect(early.time).toBe(1);
    for (const each of [table, new RecordTable(View.floats, table.save())]) {
      expect(each.indices()).toHaveLength(85);
      for (const index of each.indices().slice(1)) {
        const { flag, single, time, counts } = viewOf(each, index);
        const isNew = index >= 20 && index < 25;
        expect([flag, single, time]).toEqual(
          isNew ? [false, 0, 0] : [index % 2 === 0, index / 2, 1e12 + index],
        );
        expect(counts.call(viewOf(each, index), 2)).toBe(isNew ? 0 : -index);
      }
      expect(each.save()).toEqual(table.save());
    }
  });

  it('allocates no more than a quarter in vain, or 32 records', () => {
    for (const records of [1, 3, 17, 500]) {
      const table = new RecordTable(2);
      for (let index = 0; index < records; index++) table.add(index);
      expect(table.buffer.bytes.length / 8).toBeLessThanOrEqual(Math.min(1.25 * records + 1, records + 32));
    }
  });

  it('releases its buffer with the last record, and begins again', () => {
    const table = new RecordTable(View.floats);
    for (const index of [0, 1]) table.add(index);
    for (const index of [0, 1]) table.remove(index);
    expect(table.buffer.bytes).toHaveLength(0);
    table.add(1);
    viewOf(table, 1).time = 3;
    expect([viewOf(table, 1).time, table.indices(), table.count]).toEqual([3, [1], 1]);
  });

  it('refuses saved bytes of records of another size', () => {
    const saved = { indices: [0, 1], bytes: new Uint8Array(15) };
    expect(() => new RecordTable(2, saved)).toThrow(RangeError);
  });
});
