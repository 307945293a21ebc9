/** What a user reads above a page, where there is something to say; not part of the first page. */
export const texts = {
  signUpWarning: {
    name: 'Open sign-up',
    text: 'Anyone on the internet can sign up here and create projects. Set SIGNUP=invited to let in only people with an invitation.',
    dismiss: 'Dismiss',
    dismissNamed: 'Dismiss the warning about open sign-up',
  },
  notices: {
    name: 'Notices',
    dismiss: 'Dismiss',
    dismissNamed: (organization: string) => `Dismiss the notice about ${organization}`,
    removed: (by: string, organization: string) =>
      `${by} removed you from ${organization}. You now have your own organization.`,
    recoveryLink: (by: string) =>
      `${by} made a link by which a new password can be set for your account. If you didn’t ask for it, talk to them.`,
    totpDisabled: (by: string) =>
      `${by} turned off two-factor authentication for your account. If you didn’t ask for it, talk to them.`,
    added: (by: string, organization: string) =>
      `${by} added you to ${organization}. Its members can view and edit what you create here. Do you want to stay? An owner can then set you a new password.`,
    stay: 'Stay',
    stayNamed: (organization: string) => `Stay in ${organization}`,
    leave: 'Leave…',
    leaveNamed: (organization: string) => `Leave ${organization}`,
    targets: {
      failing_targets: {
        name: 'Failing notifications',
        sentence: 'Notifications do not arrive at every target. Find out why under',
      },
      unconfirmed_targets: {
        name: 'Unconfirmed addresses',
        sentence: 'An email address waits for its owner to confirm that it wants your notifications. See',
      },
    },
    notifications: 'Settings → Notifications',
  },
};
