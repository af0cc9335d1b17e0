import type { receipt as en } from '#web/i18n/en/receipt.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const receipt: Translation<typeof en> = {
  title: 'Versandbeleg',
  starts: 'Startet am',
  counted: '{{number}} bei der Bestätigung; beim Start wird neu gezählt',
  confirmedBy: '{{when}} von {{name}}',
  sentFrom: '{{from}} bis {{to}}',
  content: 'Die E-Mail, wie sie gesendet wurde',
  contentToCome: 'Die E-Mail, wie sie gesendet wird',
  shownAs: 'Wie {{address}} sie erhalten hat',
  shownToCome: 'Wie {{address}} sie erhalten wird',
  withoutRecipient: 'Ohne die Angaben eines Empfängers',
  notShown: 'Die E-Mail kann nicht angezeigt werden.',
  changed: 'Die E-Mail wurde nach der Bestätigung geändert. Gesendet wird, was hier steht.',
  seeChanges: 'Änderungen ansehen und bestätigen',
  ofInstallation: 'der dieser Installation',
  details: 'Empfänger im Einzelnen',
};
