import type { session as en } from '../en/session.ts';
import type { Translation } from '../translation.ts';

export const session: Translation<typeof en> = {
  signIn: {
    title: 'Anmelden',
    submit: 'Anmelden',
    failed: 'E-Mail und Passwort passen nicht zusammen. Versuchen Sie es erneut.',
    tooMany: 'Zu viele Versuche. Versuchen Sie es in {{seconds}} Sekunden erneut.',
    newHere: 'Neu hier?',
    toSignUp: 'Konto anlegen',
  },
  signUp: {
    title: 'Legen Sie Ihr Konto an',
    submit: 'Konto anlegen',
    already: 'Sie haben schon ein Konto?',
    toSignIn: 'Anmelden',
  },
  name: 'Ihr Name',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  passwordRule: 'Mindestens {{min}} Zeichen. Ein kurzer Satz ist leicht zu merken und schwer zu erraten.',
  passwordShort: 'Mindestens {{min}} Zeichen.',
  promise: 'Kommunikation für viele Kunden, ohne je im falschen Namen zu schreiben.',
};
