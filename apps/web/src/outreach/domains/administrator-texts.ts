/** A message to the person who manages the DNS, whose language may be another than that of the screen. */
export const administratorTexts = {
  en: { intro: 'Please add these DNS records for {{domain}}:', end: 'Thank you!' },
  de: { intro: 'Bitte legen Sie diese DNS-Einträge für {{domain}} an:', end: 'Vielen Dank!' },
};
