export type EventType = 'VIEW_PAGE' | 'IDENTIFY' | 'TRACK';

/** Maximum length of each text, in UTF-16 code units. */
const lengths: Readonly<Record<string, number>> = {
  url: 2_048,
  referrer: 2_048,
  page: 1_024,
  path: 1_024,
  search: 1_024,
  hash: 1_024,
  title: 1_024,
  language: 35,
  id: 1_024,
};
const length = 255;

/** Cuts the texts of an event to what the server takes; empty ones become null. */
export const cutTexts = (event: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      typeof value === 'string' ? cut(value, lengths[name]) || null : value,
    ]),
  );

/** Half of a character at the end would be refused. */
export const cut = (text: string, most = length): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
