import type { fields as en } from '#web/i18n/en/fields.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const fields: Translation<typeof en> = {
  names: {
    email: 'E-Mail',
    first_name: 'Vorname',
    last_name: 'Nachname',
    company: 'Firma',
    country: 'Land',
    city: 'Ort',
    language: 'Sprache',
    phone: 'Telefon',
    birthday: 'Geburtstag',
    vip: 'VIP',
    tags: 'Tags',
    unsubscribed: 'Abgemeldet',
    title: 'Titel',
    name: 'Name',
    subject: 'Betreff',
    teaser: 'Teaser',
    content: 'Inhalt',
    image_url: 'Bild-URL',
    link_url: 'Link-URL',
    publish_date: 'Veröffentlichungsdatum',
    date_created: 'Hinzugefügt',
    date_updated: 'Zuletzt geändert',
  },
};
