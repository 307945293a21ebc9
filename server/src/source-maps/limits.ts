const MIB = 1024 * 1024;

/**
 * Maximum bytes of a chunk of an upload, and so of a stored piece of a map: one row each. Few, so that other work waits
 * for none of them for long. A power of two, for old clients.
 */
export const MAX_CHUNK_BYTES = MIB / 4;
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
