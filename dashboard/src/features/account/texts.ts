/** What a user reads on the pages of account. */
export const texts = {
  accountPage: {
    account: 'Account',
    you: 'You',
    name: 'Name',
    email: 'Email',
    organization: 'Organization',
    userId: 'User id',
    copyId: 'Copy id',
    idHint:
      'To join a team, send this id to one of its owners. Your current organization must have no projects or other members.',
    password: 'Password',
    sessions: 'Sessions',
  },
  passwordForm: {
    hint: 'Changing it logs you out everywhere else.',
    email: 'Email',
    currentPassword: 'Current password',
    newPassword: 'New password',
    passwordHint: (length: number) => `At least ${length} characters.`,
    changePassword: 'Change password',
  },
  sessionList: {
    sessions: 'Sessions',
    thisSession: '(this session)',
    unknownBrowser: 'Unknown browser',
    unknownAddress: 'unknown address',
    loggedIn: '· logged in',
    endSession: 'End session',
  },
};
