/** Texts of lists that wait. */
export const texts = {
  new: (count: number) => `${count} new`,
  moved: (count: number) => `${count} moved`,
};
