/** Too much, and too little: indices of what is kept for each side. */
export const UP = 0;
export const DOWN = 1;
export type Side = typeof UP | typeof DOWN;
