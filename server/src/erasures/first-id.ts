/** UUID before all ids: a scan in the order of ids begins after it. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
