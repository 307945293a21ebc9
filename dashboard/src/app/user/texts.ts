/** Texts of the account menu. */
export const texts = {
  account: 'Account',
  times: 'Times in UTC',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  logOut: 'Log out',
  stillLoggedIn: (why: string) => `You’re still logged in. ${why}`,
};
