import type { signUpForms as en } from '#web/i18n/en/sign-up-forms.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const signUpForms: Translation<typeof en> = {
  whatOne: 'Das Anmeldeformular',
  whatFields: 'Die Felder der Sammlung',
  new: 'Neues Anmeldeformular',
  create: 'Formular anlegen',
  nameHint: 'Nur Mitglieder sehen ihn.',
  collection: 'Kontakte kommen in',
  collectionHint: 'Wer bestätigt, wird dort zum Kontakt. Das lässt sich später nicht ändern.',
  noCollection: 'Diese Marke kann keine Sammlung von Kontakten verwenden.',
  language: 'Sprache des Formulars',
  languageHint: 'Die der Seite und der E-Mail, die um Bestätigung bittet.',
  created: 'Formular angelegt',
  empty: {
    body: 'Über ein Formular melden sich Personen selbst für E-Mails dieser Marke an. Sie bestätigen per E-Mail, und das, dem sie zugestimmt haben, wird als Nachweis aufbewahrt.',
  },
  unconfirmed: 'Unbestätigt',
  counts: '{{confirmed}} bestätigt, {{unconfirmed}} unbestätigt',
  unwritten_one:
    '1 bestätigter Kontakt ist noch nicht in der Sammlung. Etwa einen Tag lang wird es wieder versucht.',
  unwritten_other:
    '{{count, number}} bestätigte Kontakte sind noch nicht in der Sammlung. Etwa einen Tag lang wird es wieder versucht.',
  failed_one:
    '1 bestätigter Kontakt ist nicht in der Sammlung, und es wird nicht wieder versucht. Fügen Sie ihn selbst hinzu.',
  failed_other:
    '{{count, number}} bestätigte Kontakte sind nicht in der Sammlung, und es wird nicht wieder versucht. Fügen Sie sie selbst hinzu.',
  activate: 'Aktivieren',
  deactivate: 'Deaktivieren',
  activated: 'Das Formular nimmt wieder Anmeldungen an',
  deactivated: 'Das Formular nimmt keine Anmeldungen mehr an',
  inactiveNote: 'Dieses Formular nimmt keine Anmeldungen an. Unbestätigte können noch bestätigt werden.',
  deleteTitle: 'Formular „{{name}}“ löschen?',
  deleteBody:
    'Die Seite und alle eingebetteten Formulare funktionieren sofort nicht mehr. Kontakte und die Nachweise bestätigter Anmeldungen bleiben. Das lässt sich nicht rückgängig machen.',
  deleted: 'Formular gelöscht',
  networkLimitHint:
    'Für eine Veranstaltung, ein Büro oder eine Schule, wo viele dasselbe Netzwerk nutzen. Ohne Zahl gilt die Grenze dieser Installation.',
  details: 'Formular',
  titleHint: 'Die Überschrift der Seite, auch in der E-Mail, die um Bestätigung bittet.',
  fields: {
    hint: 'Nach der E-Mail-Adresse wird immer gefragt. Fragen Sie nur nach dem, was Sie brauchen.',
    labelOf: 'Beschriftung von „{{field}}“',
    requiredOf: '„{{field}}“ ist ein Pflichtfeld',
    add: 'Feld hinzufügen',
    none: 'Keine weiteren Felder in dieser Sammlung.',
    missing: '{{field}}: nicht mehr in der Sammlung',
  },
  topics: {
    hint: 'Wer sich anmeldet, wählt unter diesen.',
    none: 'Diese Marke hat keine Themen.',
  },
  tracking: {
    title: 'Messung',
    label: 'Fragen, ob Öffnungen und Klicks gemessen werden dürfen',
    hint: 'Als eigenes Kontrollkästchen, nicht vorausgewählt.',
    everyone: 'Das Formular fragt nicht: E-Mails dieser Marke werden bei allen gemessen.',
    nobody: 'Das Formular fragt nicht: E-Mails dieser Marke werden nicht gemessen.',
  },
  consent: {
    title: 'Einwilligung',
    label: 'Dem stimmen Personen zu',
    hint: 'Steht direkt über der Schaltfläche. Wird mit jeder Anmeldung gespeichert.',
    versionNote:
      'Dies ist Version {{version, number}}. Eine Änderung von Titel, Feldern, Themen, Sprache oder diesem Text ergibt eine neue Version. Für frühere Anmeldungen gilt weiter die Version, der zugestimmt wurde.',
    newVersion: 'Mit dem Speichern entsteht Version {{version, number}}.',
  },
  share: {
    linkHint: 'Die öffentliche Seite des Formulars. Sie braucht keine Website.',
    open: 'Seite öffnen',
    embed: 'In eine Website einbetten',
    embedHint:
      'Einfaches HTML ohne Skript, das auf jeder Website funktioniert. Gestalten Sie es, wie Sie möchten, aber behalten Sie die Namen der Eingabefelder bei.',
    copyEmbed: 'HTML kopieren',
    policyHint: 'Falls die Website eine Content Security Policy hat, erlauben Sie darin:',
    older:
      'Es hat die Texte von Version {{version, number}}. Kopien älterer Versionen funktionieren weiter, mit ihren eigenen Texten.',
  },
  versions: {
    title: 'Versionen',
    what: 'Die Versionen',
    hint: 'Jede Anmeldung nennt die Version, der die Person zugestimmt hat.',
    by: '{{at}}, von {{name}}',
    tracking: 'Fragt nach der Messung',
    more: 'Alle {{count, number}} Versionen anzeigen',
  },
  preview: {
    hint: 'Die öffentliche Seite, wie sie gespeichert ist.',
    closed: 'Die Seite sagt, dass das Formular geschlossen ist.',
    unsaved: 'Ihre Änderungen erscheinen hier, sobald sie gespeichert sind.',
    what: 'Die Vorschau',
  },
};
