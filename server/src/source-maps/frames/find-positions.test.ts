import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findPositions } from './find-positions.ts';

/** Map whose first line is: column 0 → line 1 of `pay.ts`, column 10 → line 3, named `charge`. */
const MAP = {
  version: 3,
  sources: ['../src/pay.ts', 'webpack:///./src/cart.ts'],
  sourcesContent: ['first\nsecond\r\nthird\nfourth', null],
  names: ['charge'],
  mappings: 'AAAA,UAEIA;ACFJ',
};

const find = (map: unknown, positions: [line: number, column: number][]) =>
  findPositions({
    packed: new Uint8Array(deflateRawSync(Buffer.from(JSON.stringify(map)))),
    isDeflated: true,
    positions: positions.map(([line, column]) => ({ line, column })),
  });

describe('the places of positions in a source map', () => {
  it('finds file, line, column, name and the lines around', () => {
    expect(find(MAP, [[1, 15]])).toEqual([
      {
        file: 'src/pay.ts',
        line: 3,
        column: 5,
        name: 'charge',
        context: { firstLine: 1, lines: ['first', 'second', 'third', 'fourth'] },
      },
    ]);
  });

  it('finds places whose source is not in the map, without lines', () => {
    expect(find(MAP, [[2, 1]])).toMatchObject([{ file: 'webpack:///src/cart.ts', context: null }]);
  });

  it('takes for no name what is no text', () => {
    expect(find({ ...MAP, names: [['charge']] }, [[1, 15]])).toMatchObject([{ line: 3, name: null }]);
  });

  it('finds nothing outside the map', () => {
    expect(
      find(MAP, [
        [0, 0],
        [1, 0],
        [9, 1],
        [-1, 5],
      ]),
    ).toEqual([null, null, null, null]);
  });

  it('reads maps in sections, and stored bytes', () => {
    const sections = { version: 3, sections: [{ offset: { line: 4, column: 0 }, map: MAP }] };
    expect(find(sections, [[5, 15]])).toMatchObject([{ file: 'src/pay.ts', line: 3 }]);
    const packed = new Uint8Array(Buffer.from(JSON.stringify(MAP)));
    const positions = [{ line: 1, column: 1 }];
    expect(findPositions({ packed, isDeflated: false, positions })).toMatchObject([{ line: 1 }]);
  });

  it('shortens the lines of a source that is one long line', () => {
    const [place] = find({ ...MAP, sourcesContent: ['a'.repeat(10_000), null] }, [[1, 1]]);
    expect(place?.context?.lines).toEqual(['a'.repeat(200)]);
  });

  it.each([[null], [[]], ['text'], [{}], [{ version: 3, mappings: 5, sources: 'a' }]])(
    'finds nothing or fails for %j, and ends',
    (map) => {
      let found: unknown = null;
      try {
        [found] = find(map, [[1, 1]]);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
      expect(found ?? null).toBeNull();
    },
  );
});
