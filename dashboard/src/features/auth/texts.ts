/** What a user reads on the pages of auth. */
export const texts = {
  authLayout: {
    tocsin: 'Tocsin',
    promise: 'Watches your applications and rings when someone needs to act.',
  },
  logInPage: {
    logIn: 'Log in',
    sessionEnded:
      'You were logged out. Your session ended on this or another device. Log in to continue where you were: unsent notes are kept.',
    toContinue: 'Log in to continue.',
    email: 'Email',
    password: 'Password',
    noAccount: 'No account yet?',
    signUp: 'Sign up',
  },
  signUpPage: {
    signUp: 'Sign up',
    name: 'Name',
    email: 'Email',
    password: 'Password',
    passwordHint: 'At least 8 characters.',
    haveAccount: 'Already have an account?',
    logIn: 'Log in',
  },
};
