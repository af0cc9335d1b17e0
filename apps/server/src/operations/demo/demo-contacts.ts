import type { Item } from '@reachout/contract/content.ts';

const firstNames = [
  'Anna',
  'Ben',
  'Clara',
  'David',
  'Elif',
  'Finn',
  'Greta',
  'Hugo',
  'Ida',
  'Jonas',
  'Lea',
  'Milan',
];
const lastNames = [
  'Arnold',
  'Brandt',
  'Costa',
  'Dietrich',
  'Engel',
  'Frank',
  'Graf',
  'Huber',
  'Ilić',
  'Jung',
];
const places: [country: string, city: string, language: string][] = [
  ['DE', 'Hamburg', 'de'],
  ['DE', 'Leipzig', 'de'],
  ['AT', 'Graz', 'de'],
  ['CH', 'Bern', 'de'],
  ['FR', 'Lyon', 'fr'],
];

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

/**
 * 120 made-up contacts. A few have unsubscribed, and a few have addresses at bounce.test, which the built-in mailbox
 * rejects as mail servers reject unknown users: so the demo shows exclusions and bounces.
 */
export const demoContacts: Item[] = Array.from({ length: 120 }, (_, index): Item => {
  const first_name = pick(firstNames, index);
  const last_name = pick(lastNames, Math.floor(index / firstNames.length));
  const [country, city, language] = pick(places, index);
  const local = `${first_name}.${last_name}`.toLowerCase().replaceAll(/[^a-z.]/g, '');
  const bounces = index % 40 === 10;
  return {
    email: bounces ? `nouser.${local}@bounce.test` : `${local}@mail.example`,
    first_name,
    last_name,
    country,
    city,
    language,
    vip: index % 9 === 0,
    unsubscribed: index % 30 === 7,
  };
});
