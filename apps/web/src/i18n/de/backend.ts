import type { backend as en } from '#web/i18n/en/backend.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const backend: Translation<typeof en> = {
  what: 'Das Content-Backend',
  builtIn: 'Eingebautes Content-Backend',
  directus: 'Directus',
  state: { connected: 'Verbunden', failing: 'Nicht nutzbar', disconnected: 'Getrennt' },
  explain:
    'Sammlungen und Kontakte liegen hier im eingebauten Content-Backend oder in Ihrem eigenen Directus. Vorlagen, Kampagnen und Statistiken bleiben in beiden Fällen hier.',
  endpointHint: 'Wie Sie es im Browser öffnen, ohne /admin.',
  lastEndpoint: 'Zuletzt verbunden',
  token: 'Zugriffstoken',
  tokenEnds: 'Hinterlegt, endet auf {{end}}',
  tokenHint:
    'Das statische Token eines Directus-Benutzers, der die Sammlungen lesen darf. Es wird verschlüsselt gespeichert.',
  tokenKept: 'Leer lassen, um das hinterlegte Token zu behalten.',
  tokenTooShort: 'Ein Token hat mindestens 8 Zeichen und keine Leerzeichen.',
  version: 'Version',
  unknown: 'Nicht gemeldet',
  checked: 'Zuletzt geprüft',
  missingTitle: 'Sammlungen für Kampagnen fehlen',
  missing: 'In Ihrem Directus fehlen {{names}}. Richten Sie es ein, um sie anzulegen.',
  failingTitle: 'Ihr Directus ist nicht nutzbar',
  connect: 'Directus verbinden',
  change: 'Verbindung ändern',
  check: 'Erneut prüfen',
  checkedNow: 'Gerade geprüft',
  setUp: 'Directus einrichten',
  disconnect: 'Trennen',
  connected: 'Directus verbunden',
  disconnected: 'Directus getrennt',
  invalidEndpoint: 'Geben Sie eine Adresse wie https://cms.example.com ein.',
  resting: {
    title: 'Was sich ändert',
    collections_one: 'Die eingebaute Sammlung wird ausgeblendet und bleibt unverändert erhalten.',
    collections_other:
      '{{count}} eingebaute Sammlungen werden ausgeblendet und bleiben unverändert erhalten.',
    audiences_one:
      '{{count}} Zielgruppe wählt daraus aus. Solange wählt sie aus der gleichnamigen Sammlung im Directus aus.',
    audiences_other:
      '{{count}} Zielgruppen wählen daraus aus. Solange wählen sie aus gleichnamigen Sammlungen im Directus aus.',
    back: 'Nach dem Trennen ist alles wieder da.',
  },
  disconnectQuestion: '{{endpoint}} trennen?',
  disconnectEffect:
    'Danach sind wieder die eingebauten Sammlungen zu sehen. In Ihrem Directus wird nichts geändert oder gelöscht. Seine Token werden hier gelöscht.',
  adminToken: 'Administrator-Token',
  adminHint: 'Wird einmal für die Einrichtung verwendet und nicht gespeichert.',
  setUpIntro:
    'Legt die Sammlungen für Kampagnen an und einen Benutzer, der diese, die Sammlungen unten und alle Dateien nutzen darf. Vorhandenes bleibt unverändert.',
  only: 'Nutzbare Sammlungen',
  onlyHint: 'Namen, jeweils mit der Eingabetaste abgeschlossen. Leer lassen für alle.',
  canWrite: 'Einträge und Dateien können von hier aus geändert werden',
  created: {
    title: 'Einrichtung abgeschlossen',
    none: 'Es war schon alles vorhanden. Nichts wurde geändert.',
    collection: 'Sammlung {{name}}',
    field: 'Feld {{name}}',
    relation: 'Beziehung {{name}}',
    role: 'Benutzer, Rolle und Richtlinie „{{name}}“',
    permission: 'Berechtigung {{name}}',
    token: 'Neues Token von {{name}}',
  },
  unfinished: {
    title: 'Die Einrichtung ist unterwegs abgebrochen',
    created: 'Bisher angelegt:',
    unsure: 'Nicht angelegt oder nicht bestätigt:',
    again: 'Richten Sie Directus erneut ein, um fortzufahren. Vorhandenes bleibt unverändert.',
  },
  copies: {
    what: 'Die Synchronisierung',
    title: 'Synchronisierung',
    explain:
      'Kunden, Marken, Kampagnen, Touchpoints und Vorlagen werden auch ins Content-Backend geschrieben, wo andere Programme sie nutzen können. Was nicht gelingt, wird etwa einen Tag lang erneut versucht.',
    none: 'Alles ist synchronisiert.',
    summary: '{{waiting}} wartend, {{failed}} aufgegeben',
    next: 'nächster Versuch',
    failures: 'Einträge, die nicht synchronisiert werden konnten',
    record: 'Eintrag',
    deleted: 'Gelöschter Eintrag',
    states: { waiting: 'Wartend', failed: 'Aufgegeben' },
  },
};
