/** What a user reads in parts that all pages share. */
export const texts = {
  dismiss: 'Dismiss',
};
