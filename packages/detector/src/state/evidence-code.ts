import { LogCode } from './log-code.ts';

/** Evidence in one byte. */
export const EVIDENCE = new LogCode(0.02, 2_000);
