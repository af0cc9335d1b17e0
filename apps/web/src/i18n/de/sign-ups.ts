import type { signUps as en } from '#web/i18n/en/sign-ups.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const signUps: Translation<typeof en> = {
  title: 'Anmeldungen',
  none: 'Dieser Kontakt hat sich nicht über ein Formular angemeldet.',
  deletedForm: 'Gelöschtes Formular',
  notConfirmed: 'noch nicht',
  network: '{{at}} (Netz {{network}})',
  download: 'Nachweis herunterladen',
  downloadHint:
    'Eine JSON-Datei mit den vollständigen Texten, allen Zeitpunkten und den gekürzten Netzadressen jeder Anmeldung.',
};
