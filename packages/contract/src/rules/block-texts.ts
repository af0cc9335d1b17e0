/**
 * Texts that the email editor writes into new blocks. `sample` stands for what a person writes in its place, and a send asks about it
 * as long as it is there; `label` can stay.
 */
export const blockTexts = {
  en: {
    sample: {
      heading: 'Heading',
      text: 'Write your text here.',
      quote: 'What somebody said.',
      html: '<!-- HTML -->',
    },
    label: {
      button: 'Read more',
      view: 'View in browser',
      unsubscribe: 'Unsubscribe',
      imprint: 'Imprint',
    },
  },
  de: {
    sample: {
      heading: 'Überschrift',
      text: 'Schreiben Sie hier Ihren Text.',
      quote: 'Was jemand gesagt hat.',
      html: '<!-- HTML -->',
    },
    label: {
      button: 'Weiterlesen',
      view: 'Im Browser ansehen',
      unsubscribe: 'Abmelden',
      imprint: 'Impressum',
    },
  },
};
