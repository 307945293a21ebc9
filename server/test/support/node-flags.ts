/**
 * Flags of V8 for the processes of the tests and the programs that they start. Code is optimized after fifteen times the
 * default of work: most of it has ended by then, and compiling it cost more than it saves.
 */
export const NODE_FLAGS: readonly string[] = ['--interrupt-budget=1000000'];
