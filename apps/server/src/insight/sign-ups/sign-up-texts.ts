import { signUpWords } from '@reachout/contract/rules/sign-up-inputs.ts';
import type { InputError } from '../../contacts/sign-ups/sign-up-fields.ts';
import type { Language } from '@reachout/contract/rules/languages.ts';

interface Texts {
  trackingNote: string;
  choose: string;
  required: string;
  /** Above the form, if something is wrong. */
  wrong: string;
  checkInboxTitle: string;
  checkInbox: string;
  checkInboxNote: string;
  confirmTitle: string;
  confirmFor: string;
  confirmEntered: string;
  confirmTopics: string;
  confirmDeclined: string;
  /** The value of a ticked box. */
  yes: string;
  no: string;
  confirmTracking: string;
  confirm: string;
  doneTitle: string;
  done: string;
  doneNote: string;
  closedTitle: string;
  closed: string;
  expiredTitle: string;
  expired: string;
  /** Above the form, if a limit is reached. */
  busy: string;
  errors: Record<InputError, string>;
}

/** Texts of the pages of sign-up forms; `{brand}` and `{address}` are placeholders. */
export const signUpTexts: Record<Language, Texts & (typeof signUpWords)[Language]> = {
  en: {
    ...signUpWords.en,
    trackingNote: 'Without your consent, nothing is measured.',
    choose: 'Please choose',
    required: '(required)',
    wrong: 'Please check what is marked below. Nothing was sent yet.',
    checkInboxTitle: 'Please check your inbox',
    checkInbox:
      'An email with a link is on its way to the address that you entered, if it can receive email from {brand}. Open it and confirm: only then are you signed up.',
    checkInboxNote:
      'Nothing there after a few minutes? Look into the spam folder. You can sign up again after five minutes, a few times a day.',
    confirmTitle: 'Confirm your sign-up',
    confirmFor: 'Address: {address}',
    confirmEntered: 'Entered in the form:',
    confirmTopics: 'You have chosen:',
    confirmDeclined: 'You won’t get emails about:',
    yes: 'yes',
    no: 'no',
    confirmTracking: '{brand} may measure whether you open emails and follow links.',
    confirm: 'Yes, sign me up',
    doneTitle: 'You are signed up',
    done: 'You will get emails from {brand}.',
    doneNote: 'You can unsubscribe at any time, with a link at the bottom of each email.',
    closedTitle: 'This form is closed',
    closed: 'It takes no sign-ups at the moment, or the address of the page is incomplete.',
    expiredTitle: 'This link doesn’t work',
    expired: 'It may be incomplete or too old. Please fill in the form again to get a new one.',
    busy: 'Too many people have just signed up here. Nothing was sent yet: your entries stay on this page, please try again later.',
    errors: {
      required: 'Please fill this in.',
      email: 'Enter an email address such as name@example.com.',
      number: 'Enter a number.',
      date: 'Enter a date such as 2026-03-31.',
      choice: 'Choose one of the values.',
      too_long: 'This is too long.',
      invalid: 'This contains characters that can’t be stored.',
    },
  },
  de: {
    ...signUpWords.de,
    trackingNote: 'Ohne Ihre Einwilligung wird nichts gemessen.',
    choose: 'Bitte wählen',
    required: '(Pflichtfeld)',
    wrong: 'Bitte prüfen Sie die markierten Angaben. Es wurde noch nichts gesendet.',
    checkInboxTitle: 'Bitte sehen Sie in Ihr Postfach',
    checkInbox:
      'Eine E-Mail mit einem Link ist unterwegs an die eingegebene Adresse, falls sie E-Mails von {brand} empfangen kann. Öffnen Sie die E-Mail und bestätigen Sie: Erst dann sind Sie angemeldet.',
    checkInboxNote:
      'Nach einigen Minuten nichts angekommen? Sehen Sie im Spam-Ordner nach. Nach fünf Minuten können Sie sich erneut anmelden, einige Male am Tag.',
    confirmTitle: 'Anmeldung bestätigen',
    confirmFor: 'Adresse: {address}',
    confirmEntered: 'In das Formular eingetragen:',
    confirmTopics: 'Sie haben gewählt:',
    confirmDeclined: 'Sie erhalten keine E-Mails zu:',
    yes: 'ja',
    no: 'nein',
    confirmTracking: '{brand} darf messen, ob Sie E-Mails öffnen und Links folgen.',
    confirm: 'Ja, ich melde mich an',
    doneTitle: 'Sie sind angemeldet',
    done: 'Sie erhalten E-Mails von {brand}.',
    doneNote: 'Sie können sich jederzeit abmelden, mit einem Link am Ende jeder E-Mail.',
    closedTitle: 'Dieses Formular ist geschlossen',
    closed: 'Es nimmt zurzeit keine Anmeldungen an, oder die Adresse der Seite ist unvollständig.',
    expiredTitle: 'Dieser Link funktioniert nicht',
    expired:
      'Er ist möglicherweise unvollständig oder zu alt. Füllen Sie bitte das Formular noch einmal aus, um einen neuen zu erhalten.',
    busy: 'Hier haben sich gerade zu viele Menschen angemeldet. Es wurde noch nichts gesendet: Ihre Angaben bleiben auf dieser Seite, bitte versuchen Sie es später noch einmal.',
    errors: {
      required: 'Bitte füllen Sie dies aus.',
      email: 'Geben Sie eine E-Mail-Adresse wie name@example.com ein.',
      number: 'Geben Sie eine Zahl ein.',
      date: 'Geben Sie ein Datum wie 2026-03-31 ein.',
      choice: 'Wählen Sie einen der Werte.',
      too_long: 'Das ist zu lang.',
      invalid: 'Das enthält Zeichen, die nicht gespeichert werden können.',
    },
  },
};
