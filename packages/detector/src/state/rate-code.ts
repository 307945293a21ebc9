import { LogCode } from './log-code.ts';

/** Rates per step in one byte. */
export const RATE = new LogCode(1e-4, 1e7);
