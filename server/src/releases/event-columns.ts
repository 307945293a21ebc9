/* Values derived from columns of an event, as SQL over the columns themselves. */

/** Release that an event counts for: a blank one is none. The event itself keeps it as it was sent. */
export const RELEASE = String.raw`nullif(btrim(release, E' \t\n\x0b\f\r'), '')`;

/** User that an event names; null: none. */
export const USER_NAME = `coalesce(nullif(correlation ->> 'user_id', ''), nullif(correlation ->> 'customer_id', ''))`;
