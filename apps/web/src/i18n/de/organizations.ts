import type { organizations as en } from '#web/i18n/en/organizations.ts';
import type { Translation } from '#web/i18n/translation.ts';

const subjects = {
  Organization: 'Organisation',
  Member: 'Mitglieder und Rollen',
  Invitation: 'Einladungen',
  Client: 'Kunden',
  Brand: 'Marken',
  Campaign: 'Kampagnen',
  Touchpoint: 'Touchpoints',
  Template: 'Vorlagen',
  Content: 'Sammlungen und Kontakte',
  Consent: 'Einwilligungen von Kontakten',
  Filter: 'Zielgruppen',
  Domain: 'Versanddomains',
  Statistics: 'Statistik',
  Billing: 'Abrechnung',
  ApiKey: 'API-Schlüssel',
  AuditLog: 'Protokoll',
  all: 'Alles',
};
import { roleHints } from './role-hints.ts';

export const organizations: Translation<typeof en> = {
  title: 'Ihre Organisationen',
  new: 'Neue Organisation',
  name: 'Organisationsname',
  nameHint: 'Ihre Agentur oder Firma, wie Ihr Team sie kennt.',
  what: 'Ihre Organisationen',
  whatOne: 'Die Organisation',
  size: 'Größe',
  country: 'Land',
  logo: 'Logo',
  invitationCount_one: '{{count}} Einladung für Sie',
  invitationCount_other: '{{count}} Einladungen für Sie',
  role: 'Rolle',
  unknownClient: 'Unbekannter Kunde',
  noClientFound: 'Keine Kunden gefunden',
  noClientsYet: 'Es gibt noch keine Kunden. Legen Sie zuerst einen an.',
  sizes: {
    '1': 'Nur ich',
    '2-10': '2 bis 10 Personen',
    '11-50': '11 bis 50 Personen',
    '51-200': '51 bis 200 Personen',
    '201-1000': '201 bis 1.000 Personen',
    '1001+': 'Mehr als 1.000 Personen',
  },
  roles: {
    owner: 'Eigentümer',
    admin: 'Administrator',
    editor: 'Redakteur',
    analyst: 'Nur lesen',
    guest: 'Gast',
  },
  roleHints,
  customRoleHint: 'Eine eigene Rolle. Ihre Berechtigungen stehen unter „Rollen“.',
  permission: {
    create: '{{subject}} anlegen',
    read: '{{subject}} ansehen',
    update: '{{subject}} bearbeiten',
    delete: '{{subject}} löschen',
    send: '{{subject}} senden',
    manage: '{{subject}} verwalten',
  },
  subjects,
  // German nouns are capitalized in a sentence, too.
  subjectsWithin: subjects,
  owners: 'Wenden Sie sich an {{names}}.',
  suspended: {
    title: 'Diese Organisation ist gesperrt',
    reason: 'Grund: {{reason}}',
    body: 'Sie ist schreibgeschützt, und es kann nichts gesendet werden. Wenden Sie sich an den Support, um sie zu reaktivieren.',
  },
  secondFactor: {
    title: '{{name}} verlangt einen zweiten Schritt bei der Anmeldung',
    body: 'Richten Sie in Ihrem Konto eine Authenticator-App oder einen Passkey ein, um fortzufahren.',
    setUp: 'Jetzt einrichten',
  },
  readOnly: {
    title: 'Die Berechtigungen konnten nicht geladen werden.',
    body: 'Sie haben nur Lesezugriff.',
  },
};
