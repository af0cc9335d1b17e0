import type { clients as en } from '../en/clients.ts';
import type { Translation } from '../translation.ts';

export const clients: Translation<typeof en> = {
  title: 'Kunden',
  what: 'Kunden',
  whatOne: 'Kunde',
  whatBrand: 'Marke',
  search: 'Kunden und Marken suchen',
  new: 'Kunde anlegen',
  newBrand: 'Marke anlegen',
  client: 'Kunde',
  brand: 'Marke',
  brands: 'Marken',
  brandCount_one: '{{count}} Marke',
  brandCount_other: '{{count}} Marken',
  noBrands: 'Noch keine Marken',
  nameClient: 'Name des Kunden',
  nameBrand: 'Name der Marke',
  nameBrandHint: 'Diesen Namen kennen die Empfänger. In seinem Namen wird gesendet.',
  created: 'Kunde angelegt',
  brandCreated: 'Marke angelegt',
  rename: 'Kunde umbenennen',
  renameBrand: 'Marke umbenennen',
  renamed: 'Umbenannt',
  empty: {
    title: 'Legen Sie Ihren ersten Kunden an',
    body: 'Marken, Kampagnen und Ergebnisse werden unter dem jeweiligen Kunden geführt.',
  },
  emptyBrands: {
    title: 'Noch keine Marken',
    body: 'Eine Marke ist der Name, den Ihre Empfänger kennen. Ein Kunde kann mehrere haben.',
  },
  noMatch: 'Kein Kunde und keine Marke entspricht „{{search}}“.',
  updated: 'Geändert',
  deletedHere: {
    client: 'Kunde „{{name}}“ gelöscht. Seine Marken und Kampagnen sind damit ausgeblendet.',
    brand: 'Marke „{{name}}“ gelöscht. Ihre Kampagnen sind damit ausgeblendet.',
  },
  notSynced: '„{{name}}“ ist hier gespeichert, hat das Content-Backend aber nicht erreicht.',
};
