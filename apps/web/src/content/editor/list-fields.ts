import type { Field } from '@reachout/contract/content-fields.ts';
import { isRichText } from '#web/content/collections/field-kind.ts';

/** The fields of content items that a list shows; undefined where a collection has none. */
export interface ListFields {
  image: string | undefined;
  title: string | undefined;
  text: string | undefined;
  /** Whether the text is HTML. */
  isRichText: boolean;
  link: string | undefined;
}

/** Those of the newsletters that every organization starts with, until a collection is known. */
export const newsletterFields: ListFields = {
  image: 'image_url',
  title: 'title',
  text: 'teaser',
  isRichText: false,
  link: 'link_url',
};

/** By their names in English and German; the first that fits is taken. */
const patterns = {
  image: [/^(?:image|picture|photo|cover|thumbnail|bild|foto)/, /(?:image|picture|photo|bild|foto)/],
  title: [/^(?:title|titel|name)$/, /^(?:headline|subject|heading|ueberschrift|betreff)$/, /(?:title|name)$/],
  text: [/^(?:teaser|summary|excerpt|description|beschreibung)/, /^(?:text|content|body|inhalt)$/],
  link: [/^(?:link|url|href)/, /(?:link|url)$/],
};

/** @param fields  of the collection @returns the fields of a list of its items */
export function listFieldsOf(fields: readonly Pick<Field, 'field' | 'type' | 'interface'>[]): ListFields {
  const texts = fields.filter(({ type }) => type === 'string' || type === 'text');
  const lines = texts.filter((field) => field.type === 'string' && !isRichText(field));
  const taken = new Set<string>();
  const find = (part: keyof typeof patterns, among: readonly { field: string }[]): string | undefined => {
    const free = among.map(({ field }) => field).filter((field) => !taken.has(field));
    const name = patterns[part].flatMap((pattern) => free.filter((field) => pattern.test(field)))[0];
    if (name !== undefined) taken.add(name);
    return name;
  };
  // A file of a Directus has no address that recipients can load.
  const image = lines.find((field) => field.interface === 'image')?.field ?? find('image', lines);
  if (image !== undefined) taken.add(image);
  const title = find('title', lines);
  const text = find('text', texts);
  const isHtml = texts.some((field) => field.field === text && isRichText(field));
  return { image, title, text, isRichText: isHtml, link: find('link', lines) };
}
