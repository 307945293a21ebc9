/** Texts of the notices above a page; not part of the initial chunk. */
export const texts = {
  notices: {
    name: 'Notices',
    signUp: {
      name: 'Open sign-up',
      sentence:
        'Anyone on the internet can sign up here and create projects. Set SIGNUP=invited to let in only people with an invitation.',
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
      `${by} created a link to reset your password. If you didn’t ask for it, talk to them.`,
    totpDisabled: (by: string) =>
      `${by} turned off two-factor authentication for your account. If you didn’t ask for it, talk to them.`,
    added: (by: string, organization: string) =>
      `${by} added you to ${organization}. Its members can view and edit what you create here. Do you want to stay? An owner can then set you a new password.`,
    unwatched: (project: string, environment: string) =>
      `For an hour, nearly all events of ${project} came from ${environment}, which isn’t watched. Nothing is detected there until you switch it on.`,
    environments: 'Choose what is watched',
    deadLetters: (project: string) =>
      `Events of ${project} could not be stored. They’re kept as dead letters.`,
    viewDeadLetters: 'View dead letters',
    overQuota: (project: string, since: string, refused: string) =>
      `${project} went over its quota on ${since}. ${refused} events have been refused since then.`,
    quotas: 'Data and limits',
    stay: 'Stay',
    stayNamed: (organization: string) => `Stay in ${organization}`,
    leave: 'Leave…',
    leaveNamed: (organization: string) => `Leave ${organization}`,
    targets: {
      failing_targets: {
        name: 'Failing notifications',
        sentence: 'Some targets don’t receive notifications. Find out why in',
      },
      unconfirmed_targets: {
        name: 'Unconfirmed addresses',
        sentence: 'The owner of an email address hasn’t confirmed it yet. See',
      },
    },
    notifications: 'Alerts → Destinations',
  },
};
