import type { contactDetails as en } from '#web/i18n/en/contact-details.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const contactDetails: Translation<typeof en> = {
  noCountry: 'Kein Land gefunden',
  add: '{{noun}} hinzufügen',
  added: '{{noun}} hinzugefügt',
  change: '{{noun}} bearbeiten',
  changed: '{{noun}} gespeichert',
  address: {
    noun: 'Adresse',
    list: 'Adressen',
    one: 'Adresse „{{name}}“',
    line1: 'Straße und Hausnummer',
    line2: 'Adresszusatz',
  },
  contact: {
    noun: 'Ansprechpartner',
    list: 'Ansprechpartner',
    one: 'Ansprechpartner „{{name}}“',
    type: 'Zuständig für',
  },
  social: {
    noun: 'Link',
    list: 'Links',
    one: 'Link zu {{name}}',
    network: 'Plattform',
    url: 'URL',
  },
  networks: {
    website: 'Website',
    linkedin: 'LinkedIn',
    instagram: 'Instagram',
    facebook: 'Facebook',
    x: 'X',
    youtube: 'YouTube',
    tiktok: 'TikTok',
    xing: 'XING',
    mastodon: 'Mastodon',
    github: 'GitHub',
    other: 'Andere',
  },
  contactTypes: {
    general: 'Allgemein',
    billing: 'Abrechnung',
    technical: 'Technik',
    privacy: 'Datenschutz',
    management: 'Geschäftsführung',
    marketing: 'Marketing',
    approval: 'Freigaben',
  },
};
