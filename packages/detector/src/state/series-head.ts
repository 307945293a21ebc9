/*
 * The head of a record, which all layouts have: what each event and each step needs, in floats from the beginning of the
 * record. Its places are constants, so that an accessor is one addition and one look-up: short enough for the
 * compiler to put it wherever it is called.
 */

/** Not saved: masks of steps in 32 bits that follow from their counts, and the number of the record of the alarms. */
export const FILLED_STEPS = 0;
export const UNKNOWN_STEPS = 1;
export const ALARM_BYTE = 8;
export const AGE = 3;
export const LEVEL = 4;
export const SHAPE = 5;
export const DISPERSION = 6;
export const POOLED_DISPERSION = 7;
export const DEVIATIONS = 8;
export const EXPECTATIONS = 9;
export const EMPTY_STEPS = 10;
export const KNOWN_STEPS = 11;
/** Of the blocks: one float for each side. */
export const BLOCK_STEPS = 12;
export const BLOCK_EVENTS = 14;
export const BLOCKS = 16;
export const MEAN_BLOCK_STEPS = 18;
/** Four floats. */
export const BAND_OF_DAY = 20;
export const HEAD_FLOATS = 24;
