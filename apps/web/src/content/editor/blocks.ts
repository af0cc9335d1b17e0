import { shortenText } from '@reachout/contract/rules/cut-text.ts';
import type { TFunction } from 'i18next';
import { newsletterFields, type ListFields } from './list-fields.ts';
import { mergeTagOf } from './source/liquid.ts';
import { levelOf, type Level } from './source/operations.ts';
import {
  parseSource,
  type ParsedSource,
  type SourceCondition,
  type SourceElement,
  type SourceNode,
} from './source/parse-source.ts';
import { readAttribute } from './source/attributes.ts';

type Translate = TFunction<'editor'>;

export const offeredBlocks = [
  'heading',
  'text',
  'button',
  'image',
  'columns2',
  'columns3',
  'divider',
  'spacer',
  'social',
  'quote',
  'header',
  'footer',
  'condition',
  'list',
  'raw',
] as const;
export type OfferedBlock = (typeof offeredBlocks)[number];

/** @returns the default of an attribute in `mj-attributes` */
export function inherited({ head, source }: ParsedSource, element: string, name: string): string | undefined {
  const lists = (head?.children ?? []).filter(
    (node): node is SourceElement => node.kind === 'element' && node.name === 'mj-attributes',
  );
  const defaults = lists.flatMap(({ children }) => children);
  for (const wanted of [element, 'mj-all'])
    for (const node of defaults)
      if (node.kind === 'element' && node.name === wanted) {
        const value = readAttribute(source, node.attributes, name);
        if (value !== undefined) return value;
      }
  return undefined;
}

/** The color that stands out in this email: that of its buttons. */
const accentOf = (parsed: ParsedSource): string =>
  inherited(parsed, 'mj-button', 'background-color') ?? '{{ brand.color }}';

/** @param fields  of the content items in a list @returns the source of a new block */
export function writeBlock(
  block: OfferedBlock,
  parsed: ParsedSource,
  t: Translate,
  fields: ListFields = newsletterFields,
): string {
  const accent = accentOf(parsed);
  const words = t('sample.text');
  const column = `  <mj-column>\n    <mj-text>${words}</mj-text>\n  </mj-column>`;
  const section = (content: string) =>
    `<mj-section>\n  <mj-column>\n${content.replaceAll(/^/gm, '    ')}\n  </mj-column>\n</mj-section>`;
  const small = 'align="center" font-size="13px"';
  const sources: Record<OfferedBlock, () => string> = {
    heading: () =>
      `<mj-text font-size="26px" font-weight="700" line-height="1.25"><h2 style="margin:0;font-size:26px;line-height:1.25">${t('sample.heading')}</h2></mj-text>`,
    text: () => `<mj-text>${words}</mj-text>`,
    button: () => `<mj-button href="https://example.com/">${t('sample.button')}</mj-button>`,
    image: () => '<mj-image src="" alt="" />',
    columns2: () => `<mj-section>\n${column}\n${column}\n</mj-section>`,
    columns3: () => `<mj-section>\n${column}\n${column}\n${column}\n</mj-section>`,
    divider: () => '<mj-divider border-width="1px" border-color="#d5dae1" />',
    spacer: () => '<mj-spacer height="24px" />',
    // As text: the icons of mj-social are loaded from the server of a third party.
    social: () =>
      `<mj-text align="center">${['Instagram', 'LinkedIn', 'YouTube']
        .map((name) => `<a href="https://example.com/">${name}</a>`)
        .join(' · ')}</mj-text>`,
    quote: () =>
      `<mj-text font-size="18px"><blockquote style="margin:0;padding-left:16px;border-left:3px solid ${accent}">${t('sample.quote')}</blockquote></mj-text>`,
    header: () =>
      section(`<mj-text ${small}><a href="{{ links.view_in_browser }}">${t('sample.view')}</a></mj-text>
{% if brand.logo_url %}
<mj-image src="{{ brand.logo_url }}" alt="{{ brand.name }}" width="160px" align="left" />
{% else %}
<mj-text font-size="20px" font-weight="700" color="${accent}">{{ brand.name }}</mj-text>
{% endif %}`),
    footer: () =>
      section(`<mj-text ${small}>
  {{ brand.name }} · <a href="{{ links.unsubscribe }}">${t('sample.unsubscribe')}</a>{% if brand.imprint_url %} · <a href="{{ brand.imprint_url }}">${t('sample.imprint')}</a>{% endif %}
</mj-text>
{% if brand.postal_address or brand.imprint %}
<mj-text align="center" font-size="12px">{{ brand.postal_address }}{% if brand.imprint %}<br />{{ brand.imprint }}{% endif %}</mj-text>
{% endif %}`),
    condition: () => `{% if contact.first_name %}\n<mj-text>${words}</mj-text>\n{% endif %}`,
    list: () => writeList(fields, t),
    raw: () => `<mj-raw>${t('sample.html')}</mj-raw>`,
  };
  return sources[block]();
}

/** The newest content items, one below the other. */
function writeList({ image, title, text, isRichText, link }: ListFields, t: Translate): string {
  const tag = (field: string) => mergeTagOf(`item.${field}`, isRichText && field === text);
  const heading = title === undefined ? '' : `<h3 style="margin:0 0 4px">${tag(title)}</h3>`;
  const more =
    link === undefined
      ? ''
      : `{% if item.${link} %}<p style="margin:4px 0 0"><a href="${tag(link)}">${t('sample.button')}</a></p>{% endif %}`;
  const words = `${heading}${text === undefined ? '' : tag(text)}${more}`;
  const blocks = [
    ...(image === undefined
      ? []
      : [`<mj-image src="${tag(image)}" alt="${title === undefined ? '' : tag(title)}" />`]),
    `<mj-text>${words === '' ? t('sample.text') : words}</mj-text>`,
  ];
  return `{% for item in items %}\n${blocks.join('\n')}\n{% endfor %}`;
}

/** The level of a block that is not in a document yet. */
export function levelOfSource(source: string): Level {
  const [node] = parseSource(source).roots;
  return node === undefined ? 'content' : levelOf(node);
}

/** A block of content with a section around it, for places between sections. */
export const inSection = (content: string): string =>
  `<mj-section>\n  <mj-column>\n${content.replaceAll(/^/gm, '    ')}\n  </mj-column>\n</mj-section>`;

/** What a person calls a block. */
export type BlockKind =
  | 'section'
  | 'wrapper'
  | 'hero'
  | 'column'
  | 'group'
  | 'heading'
  | 'text'
  | 'quote'
  | 'button'
  | 'image'
  | 'divider'
  | 'spacer'
  | 'social'
  | 'raw'
  | 'condition'
  | 'list'
  | 'unknown';

const kinds: Record<string, BlockKind> = {
  'mj-section': 'section',
  'mj-wrapper': 'wrapper',
  'mj-hero': 'hero',
  'mj-column': 'column',
  'mj-group': 'group',
  'mj-button': 'button',
  'mj-image': 'image',
  'mj-divider': 'divider',
  'mj-spacer': 'spacer',
  'mj-social': 'social',
  'mj-raw': 'raw',
};

export const isLoop = ({ name }: SourceCondition): boolean => name === 'for' || name === 'tablerow';

export function kindOf(node: SourceNode, source: string): BlockKind {
  if (node.kind === 'condition') return isLoop(node) ? 'list' : 'condition';
  if (node.kind === 'liquid' || node.isUnclosed) return 'unknown';
  if (node.name !== 'mj-text') return kinds[node.name] ?? 'unknown';
  const content = source.slice(node.contentStart, node.contentEnd);
  if (/^\s*<blockquote\b/i.test(content)) return 'quote';
  const size = Number.parseInt(readAttribute(source, node.attributes, 'font-size') ?? '', 10);
  return /^\s*<h[1-6]\b/i.test(content) || size >= 20 ? 'heading' : 'text';
}

/** The first words of a block, to tell it from others of its kind. */
export function excerptOf(node: SourceNode, source: string): string {
  if (node.kind === 'condition') {
    const { name, code } = node.branches[0]!.tag;
    return `${name} ${code}`;
  }
  if (node.kind === 'element' && node.name === 'mj-image')
    return readAttribute(source, node.attributes, 'alt') ?? '';
  if (node.kind === 'element' && node.children.length > 0) return '';
  const content =
    node.kind === 'element'
      ? source.slice(node.contentStart, node.contentEnd)
      : source.slice(node.start, node.end);
  const plain = content
    .slice(0, 1_000)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\{\{\s*([\w.]+)[^}]*\}\}/g, '[$1]')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return shortenText(plain, 48);
}
