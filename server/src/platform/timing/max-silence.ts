/**
 * A request that has waited longer than this for the database, counted from its arrival, is answered by 503: no answer
 * takes more than nine seconds, as many clients give up after ten.
 */
export const MAX_SILENCE_MS = 8_500;
