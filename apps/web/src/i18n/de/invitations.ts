import type { invitations as en } from '#web/i18n/en/invitations.ts';
import type { Translation } from '#web/i18n/translation.ts';
import { roleHints } from './role-hints.ts';

export const invitations: Translation<typeof en> = {
  title: 'Einladung',
  what: 'Die Einladung',
  invited: '{{name}} lädt Sie zu {{organization}} ein',
  invitedPlain: 'Sie sind zu {{organization}} eingeladen',
  role: 'Ihre Rolle wird „{{role}}“ sein.',
  roles: roleHints,
  sentTo: 'Gesendet an {{email}}',
  join: 'Beitreten',
  as: 'Sie sind als {{email}} angemeldet.',
  switch: 'Anderes Konto verwenden',
  signInToAccept: 'Anmelden und annehmen',
  signInToJoin: 'Anmelden und beitreten',
  signUp: 'Konto erstellen',
  signedOutHint: 'Danach kommen Sie hierher zurück.',
  joinAs: 'Wählen Sie Ihren Namen und ein Passwort, um als {{email}} beizutreten.',
  joinNamed: '{{organization}} beitreten',
  entering: 'Willkommen',
  signUpClosed:
    'Hier können keine neuen Konten erstellt werden. Wenden Sie sich an den Betreiber dieser Installation, wenn Sie eines brauchen.',
  declineTitle: 'Diese Einladung ablehnen?',
  declineBody:
    'Der Link funktioniert dann nicht mehr. Um später beizutreten, brauchen Sie eine neue Einladung.',
  other: {
    title: 'Diese Einladung gilt für eine andere Adresse',
    body: 'Sie wurde an {{masked}} gesendet. Sie sind als {{email}} angemeldet.',
    action: 'Mit der eingeladenen Adresse anmelden',
  },
  expired: {
    title: 'Diese Einladung ist abgelaufen',
    body: 'Bitten Sie {{name}}, sie erneut zu senden.',
    bodyPlain: 'Bitten Sie die Person, die Sie eingeladen hat, sie erneut zu senden.',
  },
  cancelled: {
    title: 'Diese Einladung wurde zurückgezogen',
    body: 'Wenn Sie das für ein Versehen halten, fragen Sie die Person, die Sie eingeladen hat.',
  },
  declined: {
    title: 'Sie haben diese Einladung abgelehnt',
    body: 'Um beizutreten, bitten Sie um eine neue Einladung.',
  },
  accepted: {
    title: 'Diese Einladung wurde bereits angenommen',
    body: 'Wenn Sie das waren, ist alles erledigt.',
  },
  usedUp: {
    title: 'Dieser Link ist nicht mehr verfügbar',
    body: 'Er war auf eine bestimmte Anzahl von Personen begrenzt. Bitten Sie um einen neuen.',
  },
  member: { title: 'Sie sind bereits Mitglied von {{organization}}', body: 'Es ist nichts mehr zu tun.' },
  unknown: {
    title: 'Einladung nicht gefunden',
    body: 'Der Link ist möglicherweise unvollständig, oder eine neuere Einladung hat diese ersetzt. Verwenden Sie die neueste E-Mail oder fragen Sie die Person, die Sie eingeladen hat.',
  },
  toOrganizations: 'Meine Organisationen',
};
