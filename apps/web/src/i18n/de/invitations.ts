import type { invitations as en } from '#web/i18n/en/invitations.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const invitations: Translation<typeof en> = {
  title: 'Einladung',
  what: 'Die Einladung',
  invited: '{{name}} lädt Sie zu {{organization}} ein',
  invitedPlain: 'Sie sind zu {{organization}} eingeladen',
  role: 'Ihre Rolle wird „{{role}}“ sein.',
  roles: {
    owner: 'Sie können dort alles tun, auch die Organisation löschen.',
    admin: 'Sie können dort alles tun, außer die Organisation zu löschen.',
    editor: 'Sie können anlegen, ändern und senden, aber keine Mitglieder verwalten.',
    analyst: 'Sie können alles sehen und nichts ändern.',
    guest: 'Sie sehen, was zu den Kunden gehört, für die Sie eingeladen sind.',
  },
  sentTo: 'Gesendet an {{email}}',
  validUntil: 'Gültig bis {{date}}',
  accept: 'Annehmen',
  decline: 'Ablehnen',
  join: 'Beitreten',
  as: 'Sie sind als {{email}} angemeldet.',
  switch: 'Anderes Konto verwenden',
  signInToAccept: 'Anmelden und annehmen',
  signInToJoin: 'Anmelden und beitreten',
  signUp: 'Konto anlegen',
  signedOutHint: 'Danach kommen Sie hierher zurück.',
  declineTitle: 'Diese Einladung ablehnen?',
  declineBody: 'Der Link gilt dann nicht mehr. Um später beizutreten, brauchen Sie eine neue Einladung.',
  keep: 'Noch nicht',
  joined: 'Sie sind jetzt Mitglied von {{organization}}.',
  other: {
    title: 'Diese Einladung gilt einer anderen Adresse',
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
    body: 'Um doch beizutreten, bitten Sie um eine neue Einladung.',
  },
  accepted: {
    title: 'Diese Einladung wurde schon angenommen',
    body: 'Wenn Sie das waren, ist alles bereit.',
  },
  usedUp: {
    title: 'Dieser Link ist aufgebraucht',
    body: 'Er galt für eine begrenzte Zahl von Personen. Bitten Sie um einen neuen.',
  },
  member: { title: 'Sie sind schon Mitglied von {{organization}}', body: 'Es ist nichts mehr zu tun.' },
  unknown: {
    title: 'Diese Einladung gibt es nicht',
    body: 'Vielleicht ist der Link abgeschnitten, oder eine neuere Einladung hat diese ersetzt. Sehen Sie in die neueste Nachricht oder fragen Sie die Person, die Sie eingeladen hat.',
  },
  toOrganizations: 'Meine Organisationen',
};
