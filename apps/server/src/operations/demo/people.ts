import type { Item } from '@reachout/contract/content.ts';
import { newIdAt } from '../../platform/ids.ts';
import type { Random } from '../../platform/random.ts';
import { dayMs, monthMs } from './plan-emails.ts';
import { brandKeys, plots, type BrandKey, type Story } from './story/story.ts';

/** A fictional contact and its email behavior. */
export interface Person {
  id: string;
  /** When it became a contact. */
  at: Date;
  data: Item & { email: string };
  brands: Set<BrandKey>;
  /** Whether its mail client loads all images automatically. */
  hasProxy: boolean;
  /** Whether its company's scanner opens all links. */
  hasScanner: boolean;
  /** Factor for its open rate; 1 on average. */
  keenness: number;
  /** Whether its mailbox no longer exists. */
  isDead: boolean;
}

/** Whether a person agrees that opens and clicks are measured: those who read most. */
export const hasAgreed = ({ keenness }: Person): boolean => keenness > 0.6;

/** Whether opens and clicks of a person are measured in emails of a brand. */
export const isTracked = (person: Person, brand: BrandKey): boolean => {
  const { tracking } = plots[brand];
  return tracking === 'everyone' || (tracking === 'with_consent' && hasAgreed(person));
};

/** Domains reserved for examples and tests (RFC 2606), so that no message reaches a real person. */
const providers = ['mailhaus.example', 'inbox.example', 'postfach.example', 'briefe.test', 'mail.example'];

/** Share of each audience that existed at its first email. */
const shareAtStart = 0.55;
/** Share of the audience of a client's second brand that is also in the audience of the first one. */
const shareOfKnown = 0.3;
/** Contacts of an imported list whose addresses no longer exist. */
const deadPeople = 22;

/** @param importedAt  when the contacts with dead mailboxes were imported */
export function inventPeople(story: Story, now: Date, importedAt: Date, random: Random): Person[] {
  const people: Person[] = [];
  const addresses = new Set<string>();
  const add = (brand: BrandKey, at: Date, isDead = false) => {
    const isCompany = brand === 'business';
    people.push({
      id: newIdAt(at),
      at,
      data: inventContact(story, random, addresses, { brand, isCompany }),
      brands: new Set([brand]),
      hasProxy: !isCompany && random.chance(0.16),
      hasScanner: isCompany && random.chance(0.12),
      keenness: 0.25 + 1.5 * random.next(),
      isDead,
    });
  };
  for (const brand of brandKeys) {
    const { client, audience, months } = plots[brand];
    const known = people.filter(({ brands }) => [...brands].some((key) => plots[key].client === client));
    const joining = brand === 'business' ? [] : known.slice(0, Math.round(audience * shareOfKnown));
    for (const person of joining) person.brands.add(brand);
    for (let index = joining.length; index < audience; index++) {
      const isFirst = index < audience * shareAtStart;
      const daysAgo = isFirst
        ? months * monthMs + 20 * dayMs * random.next()
        : months * monthMs * random.next() ** 1.2;
      add(brand, new Date(now.getTime() - daysAgo));
    }
  }
  for (let index = 0; index < deadPeople; index++) add('business', importedAt, true);
  for (const { data, brands } of people) data['tags'] = [...brands];
  return people;
}

function inventContact(
  { firstNames, lastNames, places }: Story,
  random: Random,
  addresses: Set<string>,
  { brand, isCompany }: { brand: BrandKey; isCompany: boolean },
): Item & { email: string } {
  const [first_name, last_name] = [random.pick(firstNames), random.pick(lastNames)];
  const [country, city, language] = random.pick(places);
  const company = isCompany ? `${random.pick(lastNames)} ${random.pick(companyForms)}` : null;
  const domain = company === null ? random.pick(providers) : `${plainOf(company)}.example`;
  const local = `${plainOf(first_name)}.${plainOf(last_name)}`;
  let email = `${local}@${domain}`;
  for (let number = 2; addresses.has(email); number++) email = `${local}${number}@${domain}`;
  addresses.add(email);
  const birthday =
    isCompany || random.chance(0.4)
      ? null
      : new Date(Date.UTC(1956 + random.below(48), random.below(12), 1 + random.below(28)));
  return {
    email,
    first_name,
    last_name,
    company,
    country,
    city,
    language,
    birthday: birthday?.toISOString().slice(0, 10) ?? null,
    vip: brand !== 'business' && random.chance(0.09),
  };
}

/** Converts a name to its usual form in addresses: “Günther & Co” to “guenther-co”. */
const plainOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[äöüßı]/g, (letter) => plainLetters[letter]!)
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z]+/g, '-');

const plainLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ı: 'i' };

const companyForms = ['GmbH', 'KG', 'AG', '& Co', 'Group', 'Holding'] as const;
