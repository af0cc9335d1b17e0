export const session = {
  signIn: {
    title: 'Sign in',
    submit: 'Sign in',
    failed: 'Email and password don’t match. Try again.',
    tooMany: 'Too many attempts. Try again in {{seconds}} seconds.',
    newHere: 'New here?',
    toSignUp: 'Create an account',
  },
  signUp: {
    title: 'Create your account',
    submit: 'Create account',
    already: 'Already have an account?',
    toSignIn: 'Sign in',
  },
  name: 'Your name',
  email: 'Email address',
  password: 'Password',
  passwordRule: 'At least {{min}} characters. A short sentence is easy to remember and hard to guess.',
  passwordShort: 'At least {{min}} characters.',
  promise: 'Outreach for many clients, without ever writing in the wrong name.',
};
