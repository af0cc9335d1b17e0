import type { onboarding as en } from '#web/i18n/en/onboarding.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const onboarding: Translation<typeof en> = {
  invitations: {
    title: 'Einladungen für Sie',
    what: 'Ihre Einladungen',
    as: 'Rolle: {{role}}',
    asBy: 'Rolle: {{role}}. Eingeladen von {{name}}.',
    acceptOf: 'Einladung von {{name}} annehmen',
    declineOf: 'Einladung von {{name}} ablehnen',
    declined: 'Einladung von {{name}} abgelehnt',
  },
  welcome: {
    step: 'Schritt {{at}} von {{of}}',
    steps: {
      organization: 'Ihre Organisation',
      team: 'Laden Sie Ihr Team ein',
      done: 'Es kann losgehen',
    },
    skip: 'Überspringen',
    teamHint: 'Eingeladene erhalten eine E-Mail mit einem Link. Das geht auch später in den Einstellungen.',
    doneHint: 'Das sind die nächsten Schritte. Sie finden sie auch in der Übersicht.',
    firstEmail: 'Erste E-Mail schreiben',
    leftOff: 'Sie waren dabei, „{{name}}“ einzurichten.',
  },
  empty: {
    title: 'Noch keine Organisationen',
    body: 'Legen Sie eine an oder öffnen Sie den Link in Ihrer Einladung.',
  },
};
