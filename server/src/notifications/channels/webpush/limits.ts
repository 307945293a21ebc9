/** Maximum browsers of a user. */
export const MAX_OWN_BROWSERS = 20;
/** Maximum browsers of an organization: each message goes to all of them. */
export const MAX_BROWSERS = 500;
