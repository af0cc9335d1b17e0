import type { conversions as en } from '#web/i18n/en/conversions.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const conversions: Translation<typeof en> = {
  funnel: {
    title: 'Von der Zustellung zur Conversion',
    what: 'Die Conversions',
    hint: 'Anzahl der Nachrichten, jede einmal gezählt. „Website besucht“ und „Konvertiert“ heißt: Der Link der Nachricht führte einen Menschen auf eine Website mit Tracking und dort zu einer Conversion.',
    campaignHint: 'Alle E-Mails dieser Kampagne zusammen, seit ihrem ersten Versand.',
    delivered: 'Zugestellt',
    clicked: 'Geklickt',
    visited: 'Website besucht',
    converted: 'Konvertiert',
    ofMeasured: '{{measured}} der gemessenen',
    shares: '{{before}} vom Schritt davor · {{measured}} der gemessenen',
    measuredOfDelivered: 'davon {{number}} gemessen',
    conversions: 'Conversions',
    value: 'Wert',
    perMessage: '{{value}} je zugestellter Nachricht',
    perConverted: '{{number}} je Nachricht mit Conversion',
    nothingDelivered: 'Es wurde noch nichts zugestellt.',
    notMeasured:
      'Hier werden bei niemandem Klicks gemessen, daher sind Besuche und Conversions nicht bekannt: Die Personen haben nicht zugestimmt, oder die Richtlinie der Marke nimmt sie aus.',
    noVisits: 'Noch kein Link hat auf eine Website mit Tracking geführt.',
    noWebsite:
      'Noch keine Website dieser Organisation hat Tracking. Fügen Sie eine hinzu, um zu sehen, was nach einem Klick geschieht.',
    noGoals: 'Welche Ereignisse als Conversion zählen, legen Sie bei der Website unter „Einstellungen“ fest.',
    toWebsites: 'Zu den Websites',
    byEmail: 'Nach E-Mail',
    email: 'E-Mail',
    short: {
      delivered: 'Zugestellt',
      clicked: 'Geklickt',
      visited: 'Besucht',
      converted: 'Konvertiert',
      conversions: 'Conversions',
    },
  },
  goals: {
    title: 'Conversion-Ziele',
    hint: 'Ein Ereignis, das Ihre Website sendet, wird zur Conversion. Sie wird der E-Mail zugeordnet, deren Link zuletzt davor aufgerufen wurde. Ein Ziel zählt ab jetzt.',
    none: 'Noch keine Ziele. Fügen Sie eines hinzu, um Bestellungen, Anmeldungen oder anderes zu zählen, was Ihnen wichtig ist.',
    add: 'Ziel hinzufügen',
    limit: 'Eine Website kann {{max}} Ziele haben. Entfernen Sie eines, um ein anderes hinzuzufügen.',
    eventHint:
      'Der Name, den Ihre Website an track() übergibt, etwa „order“. Groß- und Kleinschreibung zählt. Mit einer id, etwa der Bestellnummer, zählt es einmal.',
    eventMissing: 'Geben Sie den Namen eines Ereignisses ein.',
    valueHint:
      'In {{currency}}, für eine Conversion. Bringt ein Ereignis einen eigenen Wert mit, zählt dieser.',
    ownValue: 'aus dem Ereignis',
    window: 'Tage nach dem Klick',
    windowHint:
      'Eine E-Mail erhält die Conversion, wenn ihr Link höchstens so viele Tage davor aufgerufen wurde.',
    days_one: '{{number}} Tag',
    days_other: '{{number}} Tage',
    since: 'Zählt seit',
    added: 'Ziel hinzugefügt. Ereignisse zählen ab jetzt.',
    saved: 'Ziel gespeichert',
    later: 'Änderungen gelten für spätere Conversions; die bisher gezählten bleiben, wie sie sind.',
    removeTitle: 'Ziel „{{event}}“ entfernen?',
    remove: 'Ziel entfernen',
    removeCount_one:
      'Die {{count, number}} Conversion, die es gezählt hat, verschwindet aus allen Statistiken.',
    removeCount_other:
      'Die {{count, number}} Conversions, die es gezählt hat, verschwinden aus allen Statistiken.',
    removeNone: 'Es hat noch keine Conversion gezählt.',
    removeUnknown: 'Alle Conversions, die es gezählt hat, verschwinden aus allen Statistiken.',
    removeHint: 'Die Ereignisse selbst bleiben. Ein Ziel, das Sie erneut hinzufügen, beginnt bei null.',
    removed: 'Ziel entfernt',
  },
};
