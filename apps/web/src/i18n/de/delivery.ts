import type { delivery as en } from '#web/i18n/en/delivery.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const delivery: Translation<typeof en> = {
  policy: {
    title: 'Unklare Zustellungen',
    hint: 'Bricht die Verbindung zum Mailserver ab, bevor er eine Nachricht bestätigt, ist unbekannt, ob sie gesendet wurde. Das kommt selten vor.',
    setting:
      'Jeder neue Versand beginnt mit dieser Wahl; Sie können sie bei der Bestätigung ändern. Was bereits bestätigt ist, bleibt unverändert.',
    saved: 'Einstellungen gespeichert',
    name: { retry: 'Einmal erneut senden', hold: 'Auf Entscheidung warten' },
    effect: {
      retry:
        'Wird ohne Rückfrage erneut gesendet. Einzelne Empfänger erhalten die E-Mail möglicherweise doppelt.',
      hold: 'Ohne Sie wird nichts erneut gesendet. Einzelne Empfänger erhalten die E-Mail möglicherweise erst nach Ihrer Entscheidung.',
    },
  },
};
