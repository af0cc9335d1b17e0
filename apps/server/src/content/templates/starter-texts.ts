import type { StarterLanguage, TemplateStarter } from '@reachout/contract/templates.ts';

/** `sample` says what to write in its place, and a send asks about it as long as it stands; `label` can stay. */
interface StarterText {
  title: string;
  sample: Record<string, string>;
  label: Record<string, string>;
}

const en = {
  blank: {
    title: '',
    sample: {
      lead: 'This is where your message begins. Say what is new, why it matters to the person who reads it, and what to do next.',
    },
    label: { button: 'Read more', regards: 'Best regards' },
  },
  newsletter: {
    title: 'What is new',
    sample: {
      lead: 'This is what happened since our last email. Begin with the news that matters most to your readers.',
      first: 'Tell the first story in two or three sentences, and let people read on from here.',
      second: 'Then the second: two or three sentences, and where to read on.',
      third: 'Close with something light: a date, a tip, or a thank you.',
    },
    label: {
      firstTitle: 'The most important story',
      secondTitle: 'The second story',
      thirdTitle: 'And one more thing',
      more: 'Read on',
      button: 'See all news',
    },
  },
  announcement: {
    title: 'We have something new',
    sample: {
      lead: 'Say in one sentence what there is now that was not there before, and who it is for.',
      change: 'Say what it changes for the person who reads this, and what to do next.',
    },
    label: { kind: 'News', button: 'See what is new' },
  },
  offer: {
    title: 'An offer for you',
    sample: {
      what: 'Say what the offer is, and what it costs without it.',
      until: 'Say until when it is valid, and for whom.',
      amount: 'XX % off',
      code: 'YOUR-CODE',
    },
    label: { codeTitle: 'Your code at checkout', button: 'Use the offer' },
  },
  invitation: {
    title: 'You are invited',
    sample: {
      what: 'Say what takes place, and what guests can expect.',
      date: 'Day, month, time',
      place: 'Name and address of the place',
      reply: 'Say until when guests should let you know.',
    },
    label: { when: 'When', where: 'Where', button: 'Accept the invitation' },
  },
  product: {
    title: 'Made to make a difference',
    sample: {
      lead: 'Say in one sentence what your product does for the person who reads this.',
      first: 'Name the strongest reason, in one sentence.',
      second: 'Name the second reason, in one sentence.',
      third: 'Name the third reason, in one sentence.',
    },
    label: { firstTitle: 'Faster', secondTitle: 'Simpler', thirdTitle: 'Safer', button: 'Discover it' },
  },
  welcome: {
    title: 'Welcome',
    sample: {
      lead: 'Say thank you, and what people can expect from you: what, and how often.',
      first: 'Name the first step, which takes a minute.',
      second: 'Say what to look at next.',
      third: 'Say where people get help.',
    },
    label: { firstTitle: 'Begin', secondTitle: 'Look around', thirdTitle: 'Ask us', button: 'Get started' },
  },
  reengagement: {
    title: 'Are you still there?',
    sample: {
      lead: 'Say that it has been quiet, without blaming anybody, and what is new since then.',
      choice: 'Say what happens if people do nothing: it is fair to stop writing to them.',
    },
    label: { button: 'Keep writing to me', stop: 'No more emails, please' },
  },
  receipt: {
    title: 'Thank you for your order',
    sample: {
      lead: 'Say what happens next, and when.',
      item: 'Name of the first item',
      other: 'Name of the second item',
      number: 'No. XXXX',
      price: 'XX.XX',
    },
    label: {
      order: 'Order',
      sum: 'Total',
      button: 'See your order',
    },
  },
  personal: {
    title: '',
    sample: {
      lead: 'Write as you would to one person: why you write, and why now.',
      question: 'End with one question that is easy to answer.',
      name: 'Your name here',
    },
    label: { regards: 'Best regards' },
  },
  feedback: {
    title: 'How was it?',
    sample: {
      lead: 'Say what you would like to know, and what you do with the answers.',
      time: 'Say how long it takes.',
    },
    label: { low: 'Not good', high: 'Very good', button: 'Answer three questions' },
  },
  reminder: {
    title: 'See you soon',
    sample: {
      date: 'Day, month, time',
      place: 'Name and address of the place',
      first: 'Say what to bring.',
      second: 'Say how to get there.',
      third: 'Say whom to call if something comes up.',
    },
    label: { kind: 'Reminder', list: 'Good to know', button: 'Add to calendar' },
  },
  report: {
    title: 'Our year in numbers',
    sample: {
      lead: 'Say in two sentences what the numbers below have to do with your readers.',
      firstNumber: 'XX,XXX',
      secondNumber: 'XX.X',
      thirdNumber: 'XX %',
      first: 'what the first number counts',
      second: 'what the second number counts',
      third: 'what the third number counts',
      quote: '“One sentence that somebody really said.”',
      source: 'Name and role of this person',
    },
    label: { button: 'Read the report' },
  },
} as const satisfies Record<TemplateStarter, StarterText>;

type Written<T> = { [Key in keyof T]: T[Key] extends string ? string : Written<T[Key]> };
export type StarterTexts = Written<typeof en>;

const de: StarterTexts = {
  blank: {
    title: '',
    sample: {
      lead: 'Hier beginnt Ihre Nachricht. Sagen Sie, was neu ist, warum es für die Leser wichtig ist und was als Nächstes zu tun ist.',
    },
    label: { button: 'Weiterlesen', regards: 'Viele Grüße' },
  },
  newsletter: {
    title: 'Das ist neu',
    sample: {
      lead: 'das ist seit unserer letzten E-Mail passiert. Beginnen Sie mit der Neuigkeit, die Ihren Lesern am wichtigsten ist.',
      first: 'Erzählen Sie die erste Geschichte in zwei oder drei Sätzen, und führen Sie von hier weiter.',
      second: 'Dann die zweite: zwei oder drei Sätze, und wo es weitergeht.',
      third: 'Schließen Sie mit etwas Leichtem: einem Termin, einem Tipp oder einem Dank.',
    },
    label: {
      firstTitle: 'Die wichtigste Geschichte',
      secondTitle: 'Die zweite Geschichte',
      thirdTitle: 'Und noch etwas',
      more: 'Weiterlesen',
      button: 'Alle Neuigkeiten',
    },
  },
  announcement: {
    title: 'Wir haben etwas Neues',
    sample: {
      lead: 'Sagen Sie in einem Satz, was es jetzt gibt und für wen.',
      change: 'Sagen Sie, was sich dadurch für die Leser ändert und was als Nächstes zu tun ist.',
    },
    label: { kind: 'Neu', button: 'Neues ansehen' },
  },
  offer: {
    title: 'Ein Angebot für Sie',
    sample: {
      what: 'Sagen Sie, was das Angebot ist und was es sonst kostet.',
      until: 'Sagen Sie, bis wann es gilt und für wen.',
      amount: 'XX % Rabatt',
      code: 'IHR-CODE',
    },
    label: { codeTitle: 'Ihr Code an der Kasse', button: 'Angebot nutzen' },
  },
  invitation: {
    title: 'Sie sind eingeladen',
    sample: {
      what: 'Sagen Sie, was stattfindet und was die Gäste erwartet.',
      date: 'Tag, Monat, Uhrzeit',
      place: 'Name und Adresse des Ortes',
      reply: 'Sagen Sie, bis wann die Gäste zusagen sollten.',
    },
    label: { when: 'Wann', where: 'Wo', button: 'Einladung annehmen' },
  },
  product: {
    title: 'Gemacht, um etwas zu bewegen',
    sample: {
      lead: 'Sagen Sie in einem Satz, was Ihr Produkt für die Leser tut.',
      first: 'Nennen Sie den stärksten Grund, in einem Satz.',
      second: 'Nennen Sie den zweiten Grund, in einem Satz.',
      third: 'Nennen Sie den dritten Grund, in einem Satz.',
    },
    label: { firstTitle: 'Schneller', secondTitle: 'Einfacher', thirdTitle: 'Sicherer', button: 'Entdecken' },
  },
  welcome: {
    title: 'Willkommen',
    sample: {
      lead: 'Bedanken Sie sich, und sagen Sie, was die Leser von Ihnen erwartet: was, und wie oft.',
      first: 'Nennen Sie den ersten Schritt, der eine Minute dauert.',
      second: 'Sagen Sie, was man sich als Nächstes ansieht.',
      third: 'Sagen Sie, wo es Hilfe gibt.',
    },
    label: {
      firstTitle: 'Anfangen',
      secondTitle: 'Umsehen',
      thirdTitle: 'Fragen',
      button: 'Los geht’s',
    },
  },
  reengagement: {
    title: 'Sind Sie noch da?',
    sample: {
      lead: 'Sagen Sie, dass es ruhig geworden ist, ohne Vorwurf, und was seitdem neu ist.',
      choice: 'Sagen Sie, was ohne Antwort passiert: Es ist fair, dann nicht mehr zu schreiben.',
    },
    label: { button: 'Schreiben Sie mir weiter', stop: 'Bitte keine E-Mails mehr' },
  },
  receipt: {
    title: 'Danke für Ihre Bestellung',
    sample: {
      lead: 'Sagen Sie, was als Nächstes passiert und wann.',
      item: 'Name des ersten Artikels',
      other: 'Name des zweiten Artikels',
      number: 'Nr. XXXX',
      price: 'XX,XX',
    },
    label: {
      order: 'Bestellung',
      sum: 'Summe',
      button: 'Bestellung ansehen',
    },
  },
  personal: {
    title: '',
    sample: {
      lead: 'schreiben Sie wie an einen einzelnen Menschen: warum Sie schreiben, und warum jetzt.',
      question: 'Enden Sie mit einer Frage, die leicht zu beantworten ist.',
      name: 'Hier Ihr Name',
    },
    label: { regards: 'Viele Grüße' },
  },
  feedback: {
    title: 'Wie war es?',
    sample: {
      lead: 'Sagen Sie, was Sie wissen möchten und was Sie mit den Antworten tun.',
      time: 'Sagen Sie, wie lange es dauert.',
    },
    label: { low: 'Nicht gut', high: 'Sehr gut', button: 'Drei Fragen beantworten' },
  },
  reminder: {
    title: 'Bis bald',
    sample: {
      date: 'Tag, Monat, Uhrzeit',
      place: 'Name und Adresse des Ortes',
      first: 'Sagen Sie, was man mitbringt.',
      second: 'Sagen Sie, wie man hinkommt.',
      third: 'Sagen Sie, wen man anruft, wenn etwas dazwischenkommt.',
    },
    label: { kind: 'Erinnerung', list: 'Gut zu wissen', button: 'In den Kalender' },
  },
  report: {
    title: 'Unser Jahr in Zahlen',
    sample: {
      lead: 'Sagen Sie in zwei Sätzen, was die Zahlen unten mit Ihren Lesern zu tun haben.',
      firstNumber: 'XX.XXX',
      secondNumber: 'XX,X',
      thirdNumber: 'XX %',
      first: 'was die erste Zahl zählt',
      second: 'was die zweite Zahl zählt',
      third: 'was die dritte Zahl zählt',
      quote: '„Ein Satz, den jemand wirklich gesagt hat.“',
      source: 'Name und Rolle dieser Person',
    },
    label: { button: 'Bericht lesen' },
  },
};

export const starterTexts: Readonly<Record<StarterLanguage, StarterTexts>> = { en, de };

/** The greeting of a person, if the first name is known. */
export const greetings: Readonly<Record<StarterLanguage, string>> = {
  en: 'Hello {{ contact.first_name | default: "there" }},',
  de: 'Hallo{% if contact.first_name %} {{ contact.first_name }}{% endif %},',
};
