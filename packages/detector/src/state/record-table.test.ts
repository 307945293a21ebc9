import { describe, expect, it } from 'vitest';
import { RecordTable } from './record-table.ts';

describe('records by index', () => {
  it('knows which indices have one, in ascending order', () => {
    const table = new RecordTable(8);
    for (const index of [4, 1, 7]) table.add(index);
    expect([table.indices(), table.size, table.count]).toEqual([[1, 4, 7], 8, 3]);
    table.remove(4);
    expect([table.indices(), table.has(4), table.has(99), table.count]).toEqual([[1, 7], false, false, 2]);
  });

  it('gives an index that had one a record of zeros', () => {
    const table = new RecordTable(8);
    table.add(0);
    const { bytes, start } = table.at(0);
    bytes.fill(9, start, start + 8);
    table.remove(0);
    table.add(0);
    const again = table.at(0);
    expect([...again.bytes.subarray(again.start, again.start + 8)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});
