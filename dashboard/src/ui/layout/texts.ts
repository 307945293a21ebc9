/** Texts of the navigation between the settings, which come with its pages. */
export const texts = {
  name: 'Settings',
  organization: 'Organization',
  account: 'Account',
};
