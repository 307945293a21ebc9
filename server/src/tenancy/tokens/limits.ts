/** Limits of personal access tokens, for the API and the form. */
export const MAX_TOKENS = 50;
export const DEFAULT_TOKEN_DAYS = 90;
/** A year, also a leap year. */
export const MAX_TOKEN_DAYS = 366;
