/* Values derived from columns of an event, as SQL over the columns themselves. */

/** Release that an event counts for: a blank one is none. The event itself keeps it as it was sent. */
export const RELEASE = String.raw`nullif(btrim(release, E' \t\n\x0b\f\r'), '')`;

/** User that an event names; null: none. */
export const USER_NAME = `coalesce(nullif(correlation ->> 'user_id', ''), nullif(correlation ->> 'customer_id', ''))`;

/** SQL for the hash of a user's name, by which a group knows the user. 53 bits: a number in JSON holds no more. */
export const userHash = (name: string) => `hashtextextended(${name}, 0) & 9007199254740991`;

/** The low 32 bits of a hash, which are `hashtext`: PostgreSQL keeps them equal for every extended hash with the seed 0. */
export const shortHash = (hash: string) => `(${hash})::bit(32)::integer`;
