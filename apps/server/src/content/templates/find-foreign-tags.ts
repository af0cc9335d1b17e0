import { plainHeading } from '@reachout/contract/rules/consent-column.ts';
import { fieldHeadings } from '@reachout/contract/rules/field-headings.ts';
import type { CompileProblem } from '../../email/email-content.ts';
import { protectLiquid } from '../../email/liquid/protect-liquid.ts';

type Field = 'subject' | 'preheader' | 'mjml';

/** Maximum number of reported tags, and of characters that may look like one. */
const maxFound = 20;
const maxTagLength = 120;

// Bounded: a longer text would be read again from each of its hyphens.
const tagName = String.raw`[\p{L}_][\p{L}\p{N}_.:-]{0,60}(?: [\p{L}\p{N}_.:-]{1,60}){0,3}`;
const rest = String.raw`\s*(?:\|[^\n{}[\]%|]*)?`;

/** Tags of other programs, with their name in group 1. They stand in no text that people write. */
const foreign = [
  // *|FNAME|* (Mailchimp)
  String.raw`\*\|\s*(${tagName})[^|\n]{0,60}\|\*`,
  // %%first_name%%, %%=v(@first_name)=%% (Salesforce), %FIRSTNAME% and %recipient.name% (ActiveCampaign, Mailgun); no %C3%BC of an address
  String.raw`%%=?\s*(?:v\(@)?(${tagName})\)?\s*=?%%`,
  String.raw`(?<![\p{L}\p{N}%])%(?![\dA-Fa-f]{2}%)([\p{L}_][\p{L}\p{N}_.:-]+)${rest}%(?![\p{L}\p{N}%])`,
  // [[first_name]], ((first_name)), <<First Name>>, <%= first_name %>, ##first_name##, @@first_name@@
  String.raw`\[\[\s*(${tagName})[^\]\n]{0,60}\]\]`,
  String.raw`\(\(\s*([\p{L}_]+)\s*\)\)`,
  String.raw`<<\s*(${tagName})\s*>>`,
  String.raw`<%[=-]?\s*@?(${tagName})[^%\n]{0,60}%>`,
  String.raw`(?:##|@@)([\p{L}_][\p{L}\p{N}_]+)(?:##|@@)`,
  // ${first_name}, #{first_name}, { contact.first_name }, {$name}, {!Contact.Name}
  String.raw`[$#]\{\s*(${tagName})[^{}\n]{0,60}\}`,
  String.raw`(?<![{$#])\{\s*[$!@]?(${tagName})${rest}\}(?!\})`,
];
/** Brackets of these kinds stand in texts, too: they are tags around the name of a field. */
const uncertain = [
  String.raw`\[\s*[@$]?(${tagName})${rest}\]`,
  String.raw`[«‹]\s*(${tagName})\s*[»›]`,
  ...['@', '~', '-', String.raw`\$`, String.raw`\|`].map(
    (sign) => String.raw`(?<![\p{L}\p{N}])${sign}([\p{L}_]{3,40})${sign}(?![\p{L}\p{N}])`,
  ),
];
/** What is left of a merge tag that is not complete: the editor writes a brace that opens none as an entity. */
const broken = [
  String.raw`\{\{\s*(${tagName})[^{}\n]{0,60}(?:\}\})?`,
  String.raw`\{[{%]`,
  String.raw`(?:(?<![\p{L}\p{N}_.])(${tagName})\s?)?(?:\}\}|%\})`,
];

const foreignPattern = new RegExp(
  [
    ...foreign,
    String.raw`(?<uncertain>${uncertain.join('|')})`,
    String.raw`(?<broken>${broken.join('|')})`,
  ].join('|'),
  'gu',
);

/**
 * Finds merge tags of other programs, and broken ones of our own: readers would see them as they are. Those in addresses of links
 * count, too.
 * @param content  Liquid; `mjml` may be invalid
 * @param fields  the fields of the contacts, to name the one that is meant
 */
export function findForeignTags(
  content: Readonly<Record<Field, string>>,
  fields: readonly string[],
): CompileProblem[] {
  const found = new Map<string, CompileProblem>();
  const fieldOf = readNames(fields);
  for (const field of ['subject', 'preheader', 'mjml'] as const) {
    const isHtml = field === 'mjml';
    const read = decodePunctuation(withoutLiquid(isHtml ? withoutCode(content.mjml) : content[field]));
    // Once with the attributes of elements, once as it is read: formatting may begin or end within a tag.
    for (const text of isHtml ? [read, read.replaceAll(inlineElements, keepLines)] : [read])
      for (const match of text.matchAll(foreignPattern)) {
        if (found.size === maxFound) break;
        const source = match[0].replaceAll(/\s+/g, ' ').trim();
        const isBroken = match.groups?.['broken'] !== undefined;
        // Its halves are found apart, with and without the formatting between them.
        const key = `${field} ${isBroken ? 'broken' : source}`;
        if (source.length > maxTagLength || found.has(key)) continue;
        const isUncertain = match.groups?.['uncertain'] !== undefined;
        const name = match.find((group, at) => at > 0 && group !== undefined && group !== match[0]) ?? '';
        const meant = fieldOf(name);
        if (isUncertain && meant === undefined) continue;
        found.set(key, {
          code: isBroken ? 'tag_broken' : 'tag_foreign',
          severity: 'warning',
          field,
          message: `${source} is ${isBroken ? 'not complete' : 'not a merge tag here'}: readers would see it. ${
            meant === undefined ? 'Write it again, or remove it.' : `Use {{ contact.${meant} }}.`
          }`,
          variable: source,
          ...(isHtml && { line: text.slice(0, match.index).split('\n').length }),
        });
      }
  }
  return [...found.values()];
}

/** @returns finds the field that a name means, such as `first_name` for `FNAME`, `subscriber.firstname` or `Vorname` */
function readNames(fields: readonly string[]): (name: string) => string | undefined {
  const bare = (text: string) => text.replaceAll('_', '');
  const known = new Map(
    fields
      .flatMap((field) =>
        [field, ...(fieldHeadings[field] ?? [])].map((heading) => [bare(heading), field] as const),
      )
      // The first field that has a heading is meant.
      .toReversed(),
  );
  return (name) =>
    known.get(bare(plainHeading(name.split(/[.:]/).findLast((part) => part.trim() !== '') ?? '')));
}

const keepLines = (text: string): string => text.replaceAll(/[^\n]+/g, '');

/** Invalid Liquid is a problem of its own. */
function withoutLiquid(source: string): string {
  try {
    const { text, sources, pattern } = protectLiquid(source);
    return text.replaceAll(pattern, (_, index: string) => keepLines(sources[Number(index)]!));
  } catch {
    return '';
  }
}

/** Styles, scripts and comments have braces of their own, and are not read: without an end, up to that of the text. */
const withoutCode = (mjml: string): string =>
  mjml.replaceAll(
    /<!--[\s\S]*?(?:-->|$)|<(mj-style|style|script)\b(?:[^>]*\/>|[\s\S]*?(?:<\/\1\s*>|$))|\bstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi,
    keepLines,
  );

const inlineElements = /<\/?(?:a|b|strong|i|em|u|s|span|font|sub|sup|mark|small|code)\b[^<>]*>/gi;

const entities: Readonly<Record<string, string>> = {
  lbrace: '{',
  lcub: '{',
  rbrace: '}',
  rcub: '}',
  lbrack: '[',
  lsqb: '[',
  rbrack: ']',
  rsqb: ']',
  percnt: '%',
  ast: '*',
  vert: '|',
  verbar: '|',
  dollar: '$',
  num: '#',
  lowbar: '_',
  period: '.',
  lt: '<',
  gt: '>',
  laquo: '«',
  raquo: '»',
  nbsp: ' ',
};

/** Decodes the entities of characters that tags are made of. */
const decodePunctuation = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,6})|#x([\da-f]{1,6})|(\w{2,8}));/gi,
    (entity, decimal?: string, hex?: string, named?: string) => {
      if (named !== undefined) return entities[named.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code < 0x10_ff_ff && code !== 10 ? String.fromCodePoint(code) : entity;
    },
  );
