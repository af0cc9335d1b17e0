import type { delivery as en } from '#web/i18n/en/delivery.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const delivery: Translation<typeof en> = {
  policy: {
    title: 'Unklare Zustellungen',
    hint: 'Bricht die Verbindung zum Mailserver ab, bevor er eine Nachricht bestätigt, ist unbekannt, ob sie gesendet wurde. Das kommt selten vor.',
    setting:
      'Jeder neue Versand beginnt mit dieser Wahl; Sie können sie bei der Bestätigung ändern. Was bereits bestätigt ist, bleibt unverändert.',
    name: { retry: 'Einmal erneut senden', hold: 'Auf Entscheidung warten' },
    effect: {
      retry:
        'Wird ohne Rückfrage erneut gesendet. Einzelne Empfänger erhalten die E-Mail möglicherweise doppelt.',
      hold: 'Ohne Sie wird nichts erneut gesendet. Einzelne Empfänger erhalten die E-Mail möglicherweise erst nach Ihrer Entscheidung.',
    },
  },
  onRequest: {
    offer: 'Auf Anforderung senden',
    offerHint:
      'Ohne Zielgruppe: Ihr Programm fordert jede Nachricht einzeln an, zum Beispiel eine Bestellbestätigung.',
    title: 'Für {{brand}} auf Anforderung senden?',
    effects: {
      start:
        'Es wird noch nichts gesendet. Ab jetzt kann Ihr Programm Nachrichten dieser E-Mail anfordern, jede für eine Adresse.',
      locked:
        'Die E-Mail lässt sich erst wieder bearbeiten, wenn Sie sie ausschalten. Pausieren können Sie jederzeit.',
      suppressed: 'Adressen, die keine E-Mails dieser Marke erhalten, erhalten auch diese Nachrichten nicht.',
    },
    confirm: 'Einschalten',
    switchOff: 'Ausschalten',
    offTitle: '„{{name}}“ ausschalten?',
    offBody_zero: 'Neue Anforderungen werden abgelehnt, und die E-Mail wird zum Entwurf.',
    offBody_one:
      'Neue Anforderungen werden abgelehnt, {{number}} wartende Nachricht wird nicht gesendet, und die E-Mail wird zum Entwurf.',
    offBody_other:
      'Neue Anforderungen werden abgelehnt, {{number}} wartende Nachrichten werden nicht gesendet, und die E-Mail wird zum Entwurf.',
    keep: 'Eingeschaltet lassen',
    whileOn: 'Nachrichten werden gesendet, sobald sie angefordert sind.',
    whilePaused: 'Während der Pause werden Anforderungen abgelehnt; wartende Nachrichten bleiben erhalten.',
    messages: 'Nachrichten',
    noMessages: 'Es wurden keine Nachrichten angefordert.',
    request: {
      title: 'Eine Nachricht anfordern',
      hint: 'Jede Anforderung sendet eine Nachricht. Führen Sie dieses Beispiel in einem Terminal aus, um sich selbst eine zu senden.',
      key: 'Nötig ist ein API-Schlüssel mit der Berechtigung „E-Mails senden“ (campaigns:send), in der Variablen REACHOUT_API_KEY.',
      toKeys: 'Zu den API-Schlüsseln',
      fields: 'Diese E-Mail liest {{fields}} aus „data“. Ein Feld, das fehlt, bleibt leer.',
      noFields: 'Diese E-Mail liest keine Felder; „data“ ist nicht nötig.',
      anyField: 'Diese E-Mail kann jedes Feld aus „data“ lesen.',
      repeat:
        'Verwenden Sie für jede Nachricht einen neuen Idempotency-Key. Eine wiederholte Anforderung mit demselben Schlüssel sendet nichts erneut.',
      copy: 'Anforderung kopieren',
      accepted: 'Die Nachricht ist angenommen. Die Antwort enthält ihre „id“, für GET /api/messages/{id}.',
      off: 'touchpoint_not_active: Die E-Mail ist pausiert oder ausgeschaltet.',
      limited: 'daily_limit_reached oder too_many_messages: Versuchen Sie es später erneut.',
    },
  },
};
