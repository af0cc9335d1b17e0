import type { sends as en } from '#web/i18n/en/sends.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const sends: Translation<typeof en> = {
  phase: {
    waiting: 'Start: {{when}}',
    waitingSeconds_one: 'Startet in {{count}} Sekunde',
    waitingSeconds_other: 'Startet in {{count}} Sekunden',
    starting: 'Startet',
    held: 'Angehalten: Es wird nichts gesendet, bis Sie entscheiden',
    preparing: 'Empfänger werden vorbereitet',
    moving: '{{processed}} von {{total}} verarbeitet',
    active: 'Aktiv: {{sent}} von {{total}} Nachrichten gesendet',
    switched_off: 'Ausgeschaltet: {{sent}} von {{total}} Nachrichten gesendet',
    paused: 'Pausiert bei {{processed}} von {{total}}',
    finished: 'Gesendet: {{total}} von {{total}}',
    mostly_sent: 'Gesendet: {{sent}} von {{total}}',
    partly_sent: 'Teilweise gesendet: {{sent}} von {{total}}',
    nothing_sent: 'Nichts gesendet: 0 von {{total}}',
    cancelled: 'Abgebrochen: {{sent}} von {{total}} gesendet',
    failed: 'Fehlgeschlagen: Es wurde nichts gesendet',
  },
  pausedMessages: 'Pausiert: {{sent}} von {{total}} Nachrichten gesendet',
  pace: {
    lessThanMinute: '{{rate}} pro Minute, noch weniger als eine Minute',
    minutes_one: '{{rate}} pro Minute, noch etwa {{count}} Minute',
    minutes_other: '{{rate}} pro Minute, noch etwa {{count}} Minuten',
    hours_one: '{{rate}} pro Minute, noch etwa {{count}} Stunde',
    hours_other: '{{rate}} pro Minute, noch etwa {{count}} Stunden',
    waits: 'Wartet bis {{when}}',
    waitsForAttempt_one: 'Wartet bis {{when}} auf den nächsten Zustellversuch bei {{number}} Empfänger',
    waitsForAttempt_other: 'Wartet bis {{when}} auf den nächsten Zustellversuch bei {{number}} Empfängern',
  },
  followUpCancelled: 'Folgeversand abgebrochen. Es wurde nichts gesendet.',
  cancelledBeforeStart: 'Versand abgebrochen. Es wurde nichts gesendet, die E-Mail ist wieder ein Entwurf.',
  pauseLater: 'Sie können den Versand pausieren, sobald die Empfänger vorbereitet sind.',
  planned: {
    at: '{{time}} {{city}}',
    both: '{{time}} {{city}} · {{own}} Ihre Zeit ({{ownCity}})',
  },
};
