/** Texts of the notices above a page; not part of the initial chunk. */
export const texts = {
  notices: {
    name: 'Notices',
    signUp: {
      name: 'Open sign-up',
      sentence: 'Anyone can sign up here and create projects. Set SIGNUP=invited to require an invitation.',
      fold: 'Dismiss',
      foldNamed: 'Dismiss the warning about open sign-up',
    },
    hide: 'Hide',
    hideNamed: (name: string) => `Hide: ${name}`,
    dismiss: 'Dismiss',
    dismissNamed: (subject: string) => `Dismiss the notice about ${subject}`,
    removed: (by: string, organization: string) =>
      `${by} removed you from ${organization}. You now have your own organization.`,
    recoveryLink: (by: string) =>
      `${by} created a password reset link for your account. If you didn’t ask for it, talk to them.`,
    totpDisabled: (by: string) =>
      `${by} turned off two-factor authentication for your account. If you didn’t ask for it, talk to them.`,
    added: (by: string, organization: string) =>
      `${by} added you to ${organization}. Its members can view and edit what you create here. If you stay, its owners can reset your password.`,
    unwatched: (project: string, environment: string) =>
      `Nearly all of ${project}’s events in the last hour came from ${environment}, which isn’t watched. No incidents open there until you turn it on.`,
    environments: 'Choose environments',
    deadLetters: (project: string) =>
      `Some of ${project}’s events couldn’t be stored. They’re kept as dead letters.`,
    viewDeadLetters: 'View dead letters',
    overQuota: (project: string, since: string, refused: string) =>
      `${project} went over its quota on ${since}. ${refused} events have been refused since then.`,
    quotas: 'Data and limits',
    databaseRewound: (from: string | null, until: string) =>
      from
        ? `The database went back in time. Data stored between ${from} and ${until} may be missing.`
        : `The database went back in time. Data stored before ${until} may be missing.`,
    stay: 'Stay',
    stayNamed: (organization: string) => `Stay in ${organization}`,
    leave: 'Leave…',
    leaveNamed: (organization: string) => `Leave ${organization}`,
    targets: {
      failing_targets: {
        name: 'Failing notifications',
        sentence: 'Some notifications aren’t being delivered. See why in',
      },
      unconfirmed_targets: {
        name: 'Unconfirmed addresses',
        sentence: 'An email address hasn’t been confirmed yet. See',
      },
    },
    notifications: 'Alerts → Destinations',
  },
};
