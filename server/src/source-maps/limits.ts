const MIB = 1024 * 1024;

/** Maximum bytes of a chunk of an upload, of which a client sends one after the other. A power of two, for old clients. */
export const MAX_CHUNK_BYTES = MIB / 4;
/** Maximum bytes of a stored piece of a map, and of what a query reads of a chunk: few, so that no event waits for long. */
export const MAX_PIECE_BYTES = MIB / 16;
export const MAX_BUNDLE_BYTES = 64 * MIB;
export const MAX_UNPACKED_BYTES = 128 * MIB;
export const MAX_ENTRIES = 2_000;
/** Maximum bytes of a source map. */
export const MAX_MAP_BYTES = 32 * MIB;
/** Maximum stored bytes and maps of a project; those that were used longest ago make room. */
export const MAX_PROJECT_BYTES = 2 * 1024 * MIB;
export const MAX_PROJECT_MAPS = 100_000;
/** Days after its last use for which a map is kept. */
export const UNUSED_DAYS = 90;
