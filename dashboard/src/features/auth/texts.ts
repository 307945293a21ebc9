import type { Role } from '../../lib/api-types.ts';

/** Texts of the pages before the login. */
export const texts = {
  authLayout: {
    tocsin: 'Tocsin',
    promise: 'Watches your applications and rings when someone needs to act.',
  },
  logInPage: {
    logIn: 'Log in',
    sessionEnded: 'Your session ended. Log in to pick up where you left off.',
    toContinue: 'Log in to continue.',
    email: 'Email',
    password: 'Password',
    forgotPassword: 'Forgot your password?',
    code: 'Code from your authenticator app',
    codeHint: 'Lost your phone? Enter a recovery code, or ask an owner of your team.',
    noCode: 'Enter the code.',
    wrongCode: 'This code is wrong, expired or already used. Enter the next one.',
    otherAccount: 'Use another account',
    noAccount: 'No account yet?',
    signUp: 'Sign up',
  },
  signUpPage: {
    signUp: 'Sign up',
    firstAccount: 'Create the first account',
    haveAccount: 'Already have an account?',
    logIn: 'Log in',
    refusals: {
      invited: 'New accounts need an invitation. Ask an owner of your team for a link.',
      closed: 'New accounts are turned off here. Ask the person who runs this service.',
    },
  },
  resetPage: {
    request: 'Forgot your password?',
    requestHint: 'We’ll email you a link that’s valid for 30 minutes.',
    email: 'Email',
    noEmail: 'Enter your email address.',
    send: 'Send link',
    sent: 'If that account exists, we’ve sent a link. Check your spam folder.',
    withoutMail:
      'This service can’t send email. Ask an owner of your organization for a recovery link. The person who runs the service can also create one:',
    command: 'tocsin reset-password you@example.com',
    set: 'Set a new password',
    setHint: 'You’ll be logged out everywhere.',
    password: 'New password',
    passwordHint: (length: number) => `At least ${length} characters.`,
    tooShort: (length: number, soFar: number) => `Use at least ${length} characters (${soFar} so far).`,
    revokeTokens: 'Revoke my access tokens',
    revokeTokensHint: 'Check this if someone else may have used your account. Otherwise they keep working.',
    save: 'Set password',
    done: 'Password changed. All your sessions have ended.',
    logIn: 'Log in',
    askAgain: 'Ask for a new link',
  },
  confirmPage: {
    title: 'Notifications for your address',
    offer: (organization: string, address: string) =>
      `${organization} wants to send notifications about incidents to ${address}.`,
    hint: 'Nothing is sent unless you confirm. If you don’t know who this is, close this page.',
    confirm: 'Confirm address',
    done: (organization: string, address: string) =>
      `${address} is confirmed and gets notifications from ${organization}.`,
    noLink: 'This link is incomplete. Use the whole link from the email.',
    logIn: 'Log in',
  },
  confirmEmail: {
    title: 'Confirm your new email',
    hint: 'You’ll log in with this address from now on. Sessions and access tokens keep working, and notification targets keep the address they name.',
    confirm: 'Confirm email',
    done: (email: string) => `Done. Your account’s email is now ${email}.`,
    open: 'Open Tocsin',
  },
  signUpForm: {
    name: 'Name',
    email: 'Email',
    emailIsBound: 'The invitation is for this address.',
    password: 'Password',
    passwordHint: 'At least 8 characters.',
    organization: 'Organization',
    organizationHint: 'Your team or company. Defaults to your name.',
    unnamed: (message: string) =>
      `Your account is ready, but the organization has your name. ${message} You can rename it in Settings.`,
    signUp: 'Sign up',
    taken: 'This email is already registered.',
  },
  joinPage: {
    title: 'Invitation',
    join: (organization: string) => `Join ${organization}`,
    offer: (by: string, organization: string, role: Role) =>
      `${by} invited you to ${organization} as ${role === 'OWNER' ? 'an owner' : 'a member'}. Once you join, its owners can reset your password.`,
    noInvitation: 'This link is incomplete. Use the whole invitation link.',
    loggedInAs: (name: string, email: string, organization: string) =>
      `You’re logged in as ${name} (${email}). Joining moves you out of ${organization}.`,
    useAnotherAccount: 'Use another account',
    signUpIsClosed: 'New accounts are turned off here. Log in to accept the invitation.',
    haveAccount: 'Already have an account?',
    logIn: 'Log in',
    openDashboard: 'Open the dashboard',
  },
};
