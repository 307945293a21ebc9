/** Texts of the menus of rows. */
export const texts = {
  actionsFor: (name: string) => `Actions for ${name}`,
};
