/** In the order of an incident's life. Commands import it, so it imports nothing. */
export const STATUSES = ['open', 'investigating', 'resolved'] as const;
