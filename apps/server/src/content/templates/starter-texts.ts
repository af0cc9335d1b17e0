import type { StarterLanguage, TemplateStarter } from '@reachout/contract/templates.ts';

export interface StarterText {
  title: string;
  paragraphs: readonly string[];
  button: string;
}

type StarterTexts = Record<TemplateStarter, StarterText> & { hello: string; regards: string };

/** Sample texts of starters, for the author to replace. */
export const starterTexts: Readonly<Record<StarterLanguage, StarterTexts>> = {
  en: {
    hello: 'Hello {{ contact.first_name | default: "there" }},',
    regards: 'Best regards',
    newsletter: {
      title: 'What is new',
      paragraphs: [
        'This is what happened since our last email. Begin with the news that matters most to your readers.',
        'Then the second: two or three sentences, and where to read on.',
      ],
      button: 'Read more',
    },
    announcement: {
      title: 'We have something new',
      paragraphs: [
        'Say in one sentence what there is now that was not there before, and who it is for.',
        'Say what it changes for the person who reads this, and what to do next.',
      ],
      button: 'See what is new',
    },
    offer: {
      title: 'An offer for you',
      paragraphs: [
        'Say what the offer is, and what it costs without it.',
        'Say until when it is valid, and for whom.',
      ],
      button: 'Use the offer',
    },
    invitation: {
      title: 'You are invited',
      paragraphs: [
        'Say what takes place, when, and where.',
        'Say what guests can expect, and until when they should let you know.',
      ],
      button: 'Sign up',
    },
  },
  de: {
    hello: 'Hallo{% if contact.first_name %} {{ contact.first_name }}{% endif %},',
    regards: 'Viele Grüße',
    newsletter: {
      title: 'Das ist neu',
      paragraphs: [
        'das ist seit unserer letzten E-Mail passiert. Beginnen Sie mit der Neuigkeit, die Ihren Lesern am wichtigsten ist.',
        'Dann die zweite: zwei oder drei Sätze, und wo es weitergeht.',
      ],
      button: 'Weiterlesen',
    },
    announcement: {
      title: 'Wir haben etwas Neues',
      paragraphs: [
        'sagen Sie in einem Satz, was es jetzt gibt und für wen.',
        'Sagen Sie, was sich dadurch für die Leser ändert und was als Nächstes zu tun ist.',
      ],
      button: 'Neues ansehen',
    },
    offer: {
      title: 'Ein Angebot für Sie',
      paragraphs: [
        'sagen Sie, was das Angebot ist und was es sonst kostet.',
        'Sagen Sie, bis wann es gilt und für wen.',
      ],
      button: 'Angebot nutzen',
    },
    invitation: {
      title: 'Sie sind eingeladen',
      paragraphs: [
        'sagen Sie, was stattfindet, wann und wo.',
        'Sagen Sie, was die Gäste erwartet und bis wann sie zusagen sollten.',
      ],
      button: 'Anmelden',
    },
  },
};
