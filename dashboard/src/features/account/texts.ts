/** Texts of the account page. */
export const texts = {
  accountPage: {
    account: 'Account',
    password: 'Password',
    sessions: 'Sessions',
  },
  profile: {
    you: 'You',
    name: 'Name',
    noName: 'Enter your name.',
    save: 'Save name',
    saved: 'Name changed',
    email: 'Email',
    changeEmail: 'Change email',
    organization: 'Organization',
    userId: 'User id',
    copyId: 'Copy id',
    idHint:
      'To join a team, open an invitation link from one of its owners, or send them this id. Your current organization must have no projects or other members.',
  },
  changeEmail: {
    title: 'Change your email',
    email: 'New email',
    noEmail: 'Enter an email address.',
    send: 'Send link',
    sent: (email: string) =>
      `If no other account uses ${email}, we’ve sent a link there. Open it within 30 minutes to confirm. Until then, log in with your current address.`,
    withoutMail:
      'This service can’t send mail to confirm a new address. The person who runs it can change yours:',
    command: (email: string) => `tocsin change-email ${email} new@example.com`,
    done: 'Done',
  },
  passwordForm: {
    hint: 'Changing it logs you out everywhere else.',
    revokeTokens: 'Revoke my access tokens',
    revokeTokensHint: 'Check this if someone else may have used your account. Otherwise they keep working.',
    changed: (withTokens: boolean) =>
      withTokens
        ? 'Password changed. Your other sessions have ended, and your access tokens are revoked.'
        : 'Password changed. Your other sessions have ended.',
    email: 'Email',
    currentPassword: 'Current password',
    newPassword: 'New password',
    passwordHint: (length: number) => `At least ${length} characters.`,
    changePassword: 'Change password',
  },
  twoFactor: {
    title: 'Two-factor authentication',
    off: 'Off. When it’s on, you log in with your password and a code from an authenticator app.',
    on: 'On since',
    codesLeft: (count: number) =>
      count === 0
        ? 'No recovery codes left. Create new ones.'
        : count === 1
          ? '1 recovery code left.'
          : `${count} recovery codes left.`,
    setUp: 'Set up',
    newCodes: 'New recovery codes',
    turnOff: 'Turn off',
  },
  confirmation: {
    password: 'Your password',
    noPassword: 'Enter your password.',
    code: 'Code from your authenticator app',
    codeHint: 'Or a recovery code.',
    noCode: 'Enter the code.',
  },
  setUpTotp: {
    title: 'Set up two-factor authentication',
    needed:
      'You need an authenticator app, such as Aegis, Google Authenticator, 1Password or Bitwarden. Access tokens keep working without a code.',
    next: 'Continue',
    scan: 'Scan this code with your authenticator app.',
    qrCode: 'QR code for your authenticator app',
    secret: 'Set-up key',
    secretHint: 'If you can’t scan, type this into the app.',
    copySecret: 'Copy key',
    firstCode: 'Code shown in the app',
    consequence: 'Your other sessions will end.',
    turnOn: 'Turn on',
    done: 'Two-factor authentication is on',
  },
  disableTotp: {
    title: 'Turn off two-factor authentication?',
    consequence: 'Your password alone will then be enough to log in. Your recovery codes stop working.',
    confirm: 'Turn off',
    done: 'Two-factor authentication is off',
  },
  replaceCodes: {
    title: 'Create new recovery codes?',
    consequence: 'Your current recovery codes stop working.',
    confirm: 'Create new codes',
    done: 'New recovery codes',
  },
  recoveryCodes: {
    saveNow: 'Save these recovery codes now.',
    what: 'You won’t see them again. If you lose your phone, each code lets you log in once.',
    name: 'Recovery codes',
    copy: 'Copy codes',
    download: 'Download as text',
    fileName: 'tocsin-recovery-codes.txt',
    done: 'Done',
  },
  browsers: {
    title: 'Browser notifications',
    list: 'Browsers that notify you',
    intro:
      'Your browser can notify you of incidents even when Tocsin isn’t open. Notifications stop when you log out and resume when you log in again.',
    notifyMe: 'Notify me in this browser',
    undecided: 'Choose “Allow” when your browser asks about notifications.',
    noPushService:
      'Your browser couldn’t reach its push service. Private windows and some networks block it. In Brave, turn on “Use Google services for push messaging” in the settings.',
    obstacles: {
      insecure:
        'Notifications need an https:// address, which the operator of the service can set up. http://localhost works, too.',
      'home screen':
        'On an iPhone or iPad, first add Tocsin to the Home Screen (Share, “Add to Home Screen”), then open it from there.',
      unsupported:
        'This browser doesn’t support web notifications. Current versions of Chrome, Edge, Firefox and Safari do.',
      denied:
        'This browser blocks notifications from this site. Allow them in the site settings next to the address bar, then reload the page.',
    },
    unknown: 'Unknown browser',
    here: '(this browser)',
    by: (host: string) => `via ${host}`,
    added: 'added',
    lastMessage: 'last message',
    states: {
      unused: 'Nothing sent yet',
      working: 'Working',
      failing: 'Failing',
      logged_out: 'Logged out, so nothing is sent',
    },
    test: 'Send a test',
    testNamed: (name: string) => `Send a test to ${name}`,
    tested: 'The push service accepted the test. The notification will appear in a moment.',
    testFailed: (reason: string | null) => `The test wasn’t accepted: ${reason ?? 'no reason was given.'}`,
    remove: 'Remove',
    switchOff: 'Switch off',
    notSent:
      'Nothing is sent yet because no route leads to your browsers. An owner can add a target “Browsers” and a route to it:',
    notSentLink: 'Targets and routes',
  },
  sessionList: {
    sessions: 'Sessions',
    thisSession: '(this session)',
    unknownBrowser: 'Unknown browser',
    unknownAddress: 'unknown address',
    loggedIn: '· logged in',
    lastSeen: '· last used',
    endOthers: 'End all other sessions',
    endSession: 'End session',
  },
  accessTokens: {
    accessTokens: 'Access tokens',
    createToken: 'Create token',
    hint: 'A token lets scripts, pipelines and the command line act for you in this organization, without your password. It stops working when you leave.',
    none: 'No access tokens',
    noneHint: 'Create one to use the API or the command line.',
    scopes: (scopes: readonly string[]) => scopes.join(', '),
    created: 'created',
    lastUsed: 'last used',
    neverUsed: 'never used',
    expires: 'expires',
    expired: 'expired',
    noExpiry: 'doesn’t expire',
    revoke: 'Revoke',
    revokeNamed: (name: string) => `Revoke ${name}`,
    adminHint:
      'Tokens with “admin” can create keys, ping addresses and notification targets that remain after the token ends.',
  },
  createToken: {
    title: 'Create access token',
    name: 'Name',
    nameHint: 'For example “Deploy pipeline”.',
    nameMissing: 'Name the token so you can recognise it later.',
    scopes: 'Permissions',
    scopesMissing: 'Choose at least one.',
    scope: {
      read: 'Read',
      write: 'Change',
      admin: 'Administer',
      releases: 'Record deploys',
      silences: 'Silence',
    },
    scopeHint: {
      read: 'Everything you can read, including live updates.',
      write: 'Incidents, groups and settings, but not members, logins or tokens.',
      admin:
        'Create projects, keys, ping addresses, notification targets and routes. They remain after the token ends.',
      releases: 'For pipelines. Included in “Change”.',
      silences: 'For pipelines. Included in “Change”.',
    },
    expires: 'Expires',
    inDays: (days: number) => (days >= 365 ? 'In a year' : `In ${days} days`),
    never: 'Never',
    neverHint: 'A leaked token works until you revoke it.',
    create: 'Create token',
    created: (name: string) => `Access token “${name}” created`,
    copyNow: 'Copy it now.',
    secret: 'You won’t see it again.',
    token: 'Access token',
    copyToken: 'Copy token',
    use: 'Send it in the “Authorization: Bearer” header, or pass it to “tocsin login”.',
    done: 'Done',
  },
  revokeToken: {
    title: (name: string) => `Revoke “${name}”?`,
    consequence: 'Anything that uses this token stops working immediately. This can’t be undone.',
    startsWith: 'It starts with',
    lastUsed: 'It was last used',
    neverUsed: 'It was never used.',
    confirm: 'Revoke token',
    revoked: (name: string) => `Token “${name}” revoked`,
  },
};
