import type { clients as en } from '#web/i18n/en/clients.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const clients: Translation<typeof en> = {
  counted_one: 'Kunde',
  counted_other: 'Kunden',
  search: 'Kunden und Marken suchen',
  new: 'Kunde anlegen',
  newBrand: 'Marke anlegen',
  inCalendar: 'Im Kalender anzeigen',
  noBrandFound: 'Keine Marken gefunden',
  brandCount_one: '{{count}} Marke',
  brandCount_other: '{{count}} Marken',
  noBrands: 'Noch keine Marken',
  nameClient: 'Kundenname',
  nameBrand: 'Markenname',
  nameBrandHint: 'Der Name, den Ihre Empfänger kennen. Kampagnen werden in diesem Namen gesendet.',
  created: 'Kunde angelegt',
  brandCreated: 'Marke angelegt',
  empty: {
    title: 'Legen Sie Ihren ersten Kunden an',
    body: 'Marken, Kampagnen und Ergebnisse werden unter dem jeweiligen Kunden geführt.',
    readerTitle: 'Noch keine Kunden',
    reader: 'Hier erscheinen Kunden, auf die Sie Zugriff haben, mit ihren Marken.',
  },
  brandList: {
    empty: {
      body: 'Eine Marke ist der Name, den Ihre Empfänger kennen. Ein Kunde kann mehrere haben.',
    },
  },
  noMatch: 'Keine Kunden oder Marken für „{{search}}“ gefunden.',
  tabs: {
    label: 'Bereiche',
    overview: 'Überblick',
    campaigns: 'Kampagnen',
    touchpoints: 'Touchpoints',
    contacts: 'Ansprechpartner',
    addresses: 'Adressen',
    socials: 'Links',
    topics: 'Themen',
    kit: 'Markenauftritt',
    'sign-up-forms': 'Anmeldeformulare',
    settings: 'Einstellungen',
  },
  contactsPurpose: 'Ansprechpartner für Freigaben, Abrechnung und technische Fragen.',
  addressesPurpose: 'Adressen für Angebote und Rechnungen.',
  socialsPurpose: 'Website und Social-Media-Profile dieses Kunden.',
  deletedHere: {
    client: 'Kunde „{{name}}“ gelöscht. Seine Marken und Kampagnen sind damit ausgeblendet.',
    brand: 'Marke „{{name}}“ gelöscht. Ihre Kampagnen sind damit ausgeblendet.',
  },
  notSynced:
    '„{{name}}“ ist hier gespeichert, konnte aber nicht mit dem Content-Backend synchronisiert werden.',
  sync: {
    now: 'Jetzt synchronisieren',
    done: 'Mit dem Content-Backend synchronisiert',
    notDone: 'Nicht alles konnte synchronisiert werden',
  },
  inline: {
    newClient: 'Neuer Kunde',
    brandHint: 'Ohne Angabe heißt die Marke wie der Kunde.',
    add: 'Marke hinzufügen',
  },
  tracking: {
    label: 'Bei wem werden Öffnungen und Klicks gemessen?',
    hint: 'Das lässt sich jederzeit ändern. Bereits gesendete Nachrichten bleiben, wie sie sind.',
    missing: 'Wählen Sie, bei wem Öffnungen und Klicks gemessen werden.',
    name: {
      everyone: 'Bei allen',
      with_consent: 'Nur bei Personen, die zugestimmt haben',
      nobody: 'Bei niemandem',
    },
    effect: {
      everyone: 'Außer bei Personen, die widersprochen haben.',
      with_consent:
        'Über ein Feld des Kontakts, ein Anmeldeformular oder die eigene Wahl auf der Einstellungsseite.',
      nobody: 'Nachrichten enthalten weder ein Zählpixel noch persönliche Links, abgesehen vom Abmeldelink.',
    },
  },
};
