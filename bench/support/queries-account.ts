/** User whose organization has the events that `npm run bench:queries` fills a data directory with. */
export const ACCOUNT = { name: 'Bench', email: 'queries@example.com', password: 'a long password' };
