/** What a user reads in parts that all pages share. */
export const texts = {
  dismiss: 'Dismiss',
  showMore: (count: number, rest: number) => `Show ${count} more of ${rest}`,
};
