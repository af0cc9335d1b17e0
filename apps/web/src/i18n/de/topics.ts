import type { topics as en } from '#web/i18n/en/topics.ts';
import type { Translation } from '#web/i18n/translation.ts';

export const topics: Translation<typeof en> = {
  hint: 'Wovon die E-Mails dieser Marke handeln. Jede E-Mail kann ein Thema haben, und Empfänger wählen auf der Einstellungsseite unter ihnen, in dieser Reihenfolge.',
  new: 'Neues Thema',
  created: 'Thema angelegt',
  nameHint: 'Empfänger sehen ihn.',
  descriptionHint: 'Was zu erwarten ist und wie oft. Empfänger sehen sie.',
  audience: {
    title: 'Wer die E-Mails erhält',
    default: 'Alle, die nicht abgelehnt haben',
    defaultHint: 'Für das, was Ihre Empfänger ohnehin von Ihnen erwarten.',
    chosen: 'Nur Abonnenten',
    chosenHint:
      'Für das, was nicht alle wollen: Empfänger abonnieren auf der Einstellungsseite oder in einem Anmeldeformular.',
  },
  becomesChosen: 'Adressen, die dieses Thema nicht gewählt haben, erhalten dann keine E-Mails dazu mehr.',
  becomesChosenCount_one:
    'Dann erhält nur noch {{count, number}} Adresse E-Mails dazu: die, die es gewählt hat.',
  becomesChosenCount_other:
    'Dann erhalten nur noch {{count, number}} Adressen E-Mails dazu: die, die es gewählt haben.',
  subscribed: 'Abonniert',
  emails: 'E-Mails',
  deleted: 'Thema gelöscht',
  deleteTitle: 'Thema „{{name}}“ löschen?',
  deleteUsed_one: '{{count, number}} E-Mail hat dieses Thema. Wählen Sie dort zuerst ein anderes.',
  deleteUsed_other: '{{count, number}} E-Mails haben dieses Thema. Wählen Sie dort zuerst ein anderes.',
  deleteBody: 'Niemand hat es gewählt oder abgelehnt.',
  deleteChoices_one:
    'Die Wahl von {{count, number}} Adresse wird mitgelöscht. Das lässt sich nicht rückgängig machen.',
  deleteChoices_other:
    'Die Wahl von {{count, number}} Adressen wird mitgelöscht. Das lässt sich nicht rückgängig machen.',
  empty: {
    body: 'Mit Themen wie „Angebote“ oder „Veranstaltungen“ wählen Empfänger, worüber sie lesen wollen, statt sich von allem abzumelden.',
  },
};
