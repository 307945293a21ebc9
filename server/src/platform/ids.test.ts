import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newUuid, toId, toUuid, uuidLowerBound, uuidTime } from './ids.ts';

const time = fc.integer({ min: 0, max: 4_102_444_800_000 });

describe('ids', () => {
  it('makes ids as UUIDv7 that carry their time', () => {
    fc.assert(
      fc.property(time, (timeMs) => {
        const uuid = newUuid(timeMs);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(uuidTime(uuid)).toBe(timeMs);
      }),
    );
  });

  it('restores an id unchanged from its text', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const id = toId('evt', uuid);
        expect(id).toMatch(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
        expect(toUuid('evt', id)).toBe(uuid);
      }),
    );
  });

  it('encodes ids as the TypeID specification says', () => {
    expect(toId('evt', '00000000-0000-0000-0000-000000000000')).toBe('evt_00000000000000000000000000');
    expect(toId('evt', '01890a5d-ac96-774b-bcce-b302099a8057')).toBe('evt_01h455vb4pex5vsknk084sn02q');
    expect(toId('evt', 'ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('evt_7zzzzzzzzzzzzzzzzzzzzzzzzz');
  });

  it('keeps the order of ids made in one process and millisecond', () => {
    const uuids = Array.from({ length: 1000 }, () => newUuid(1_700_000_000_000));
    expect([...uuids].sort()).toEqual(uuids);
    expect(new Set(uuids).size).toBe(1000);
  });

  it('refuses an id with a wrong prefix or character', () => {
    expect(toUuid('evt', 'org_01h455vb4pex5vsknk084sn02q')).toBeNull();
    expect(toUuid('evt', 'evt_81h455vb4pex5vsknk084sn02q')).toBeNull();
    expect(toUuid('evt', 'evt_01h455vb4pex5vsknk084sn02u')).toBeNull();
    expect(toUuid('evt', 'evt_')).toBeNull();
    expect(toUuid('evt', 'evt_01h455vb4pex5vsknk084sn02qq')).toBeNull();
    expect(toUuid('evt', 'evt_é1h455vb4pex5vsknk084sn02q')).toBeNull();
  });

  it('bounds the ids of a millisecond from below by its own bound and no later one', () => {
    fc.assert(
      fc.property(time, (timeMs) => {
        const uuid = newUuid(timeMs);
        expect(uuid >= uuidLowerBound(timeMs)).toBe(true);
        expect(uuid < uuidLowerBound(timeMs + 1)).toBe(true);
      }),
    );
  });
});
