import { type ImportError, type ImportErrorCode, importErrors } from './import-errors.ts';

/** The German texts, for screens and for the file of rejected rows. */
const importErrorsDe: Record<ImportErrorCode, string> = {
  cell_count: 'Diese Zeile hat {{count}} statt {{expected}} Zellen.',
  cell_too_large: 'Diese Zelle hat mehr als {{kilobytes}} kB.',
  not_in_encoding: 'Das ist kein {{encoding}}. Wurde die Datei mit einem anderen Zeichensatz gespeichert?',
  quote_not_closed: 'Das beginnt mit einem Anführungszeichen, das nicht geschlossen wird.',
  misquoted: 'Die Anführungszeichen dieser Zeile lassen offen, wo ihre Zellen enden.',
  required: 'Das ist ein Pflichtfeld.',
  not_storable: 'Das enthält Zeichen, die nicht gespeichert werden können.',
  too_long: 'Verwenden Sie höchstens {{max}} Zeichen.',
  not_an_address: 'Das ist keine E-Mail-Adresse.',
  sign_in_address: 'Eine E-Mail-Adresse darf hier das Zeichen „{{sign}}“ nicht haben.',
  not_a_choice: 'Verwenden Sie einen der Werte dieses Feldes: {{values}}.',
  not_a_web_address: 'Das ist keine Webadresse wie https://example.com/bild.png.',
  no_consent_answer: 'Das sagt weder, dass die Person E-Mails möchte, noch dass sie keine möchte.',
  consent_missing: 'Nichts sagt, dass diese Person E-Mails möchte.',
  not_a_word: 'Verwenden Sie eines dieser Wörter: {{words}}.',
  no_such_date: 'Dieses Datum gibt es nicht.',
  not_a_date: 'Verwenden Sie ein Datum wie 31.03.2026 oder 2026-03-31.',
  not_a_date_time: 'Verwenden Sie Datum und Uhrzeit wie 2026-03-31T08:00:00.',
  not_a_time: 'Verwenden Sie eine Uhrzeit wie 08:30:00.',
  not_a_number: 'Verwenden Sie eine Zahl wie 12.5.',
  not_whole: 'Verwenden Sie eine ganze Zahl.',
  not_kept_as_number:
    'Als Zahl würde daraus {{value}}. Verwenden Sie ein Textfeld, damit es bleibt, wie es ist.',
  number_too_large: 'Diese Zahl ist zu groß.',
  not_a_uuid: 'Verwenden Sie eine UUID.',
  not_json: 'Das ist kein JSON.',
  several_match: 'Mehrere Einträge haben diesen Wert, deshalb wurde keiner von ihnen geändert.',
  not_unique: 'Ein anderer Eintrag hat diesen Wert.',
  item_gone: 'Der Eintrag wurde inzwischen gelöscht.',
  rejected_elsewhere: 'Das Directus weist diese Zeile zurück. Seine Meldung: {{detail}}',
  contacts_full: 'Die Organisation hat so viele Kontakte, wie sie haben darf.',
  content_full: 'Die Organisation hat so viele Inhalte, wie sie haben darf.',
  file_empty: 'Die Datei ist leer.',
  too_many_columns: 'Die Datei hat mehr als {{limit}} Spalten.',
  no_such_column: 'Es gibt keine Spalte „{{column}}“. Die Datei hat: {{found}}. Stimmt das Trennzeichen?',
  column_twice: 'Die Datei hat zwei Spalten „{{column}}“.',
  too_many_rows: 'Eine Datei hat höchstens {{limit}} Zeilen. Nur die ersten {{limit}} wurden gelesen.',
  row_too_long: 'Ab Zeile {{line}}: Diese Zeile ist länger als 1 MB. Nur die Zeilen davor wurden gelesen.',
  not_a_list:
    'Ab Zeile {{line}}: Das ist keine Liste von JSON-Objekten. Nur die Zeilen davor wurden gelesen.',
  object_too_long:
    'Ab Zeile {{line}}: Dieses Objekt ist länger als 1 MB. Nur die Zeilen davor wurden gelesen.',
  collection_gone: 'Die Sammlung gibt es nicht mehr.',
  settings_unfit:
    'Die Felder der Sammlung haben sich geändert. Importieren Sie die Datei noch einmal. Technische Angabe: {{detail}}',
  no_write_access:
    'Das Token des Directus darf in dieser Sammlung keine Einträge anlegen und ändern. Erlauben Sie es dort, und importieren Sie die Datei noch einmal.',
  backend_failed: 'Das Directus war nicht nutzbar. Technische Angabe: {{detail}}',
  backend_waiting:
    'Das Directus ist gerade nicht nutzbar. Der Import geht von selbst weiter, sobald es wieder geht. Technische Angabe: {{detail}}',
  rows_miscounted:
    'Von {{rows}} Zeilen wurden {{counted}} gezählt, deshalb wurden sie nicht gespeichert. Die Zeilen davor sind importiert. Bitte sagen Sie es dem Betreiber dieser Installation.',
  not_stored: 'Ein Teil dieser Datei konnte nicht gespeichert werden. Die Zeilen davor sind importiert.',
  given_up:
    'Dieser Import wurde nach mehreren Versuchen aufgegeben. Die Zeilen bis hierher sind importiert. Laden Sie die Datei noch einmal hoch, oder bitten Sie den Betreiber dieser Installation, den Import innerhalb einer Woche zu wiederholen.',
};

export const importErrorTexts = { en: importErrors, de: importErrorsDe };
export type ImportLanguage = keyof typeof importErrorTexts;

/** @returns the error text in the language, with its number format */
export const describeImportError = ({ code, values }: ImportError, language: ImportLanguage = 'en'): string =>
  importErrorTexts[language][code].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value;
  });
