/* Limits that the API and the dashboard share; the dashboard imports this file as code, so it imports nothing. */

/** Maximum length of an id by which a request is found: keys of alert groups list their labels. */
export const MAX_ID_LENGTH = 1_024;
