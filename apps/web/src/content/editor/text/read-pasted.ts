import type { JSONContent } from '@tiptap/core';
import { ElementType, parseDocument } from 'htmlparser2';
import { encodeValue } from '#web/content/editor/source/attributes.ts';
import { readText } from './rich-text.ts';

type Parsed = ReturnType<typeof parseDocument>['children'][number];

const kept = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'ul',
  'ol',
  'li',
  'blockquote',
  'strong',
  'b',
  'em',
  'i',
  'u',
  's',
]);
const dropped = new Set([
  'script',
  'style',
  'head',
  'title',
  'meta',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
]);
const lines = new Set([
  'div',
  'section',
  'article',
  'tr',
  'h5',
  'h6',
  'pre',
  'header',
  'footer',
  'main',
  'table',
]);
const allowed = /^(?:https?:|mailto:|tel:)/i;

/** @returns what a text can take of copied HTML, without its look; at most 200,000 characters of it are read */
export const readPasted = (html: string): JSONContent[] =>
  readText(clean(parseDocument(html.slice(0, 200_000)).children))?.content ?? [];

/** @returns paragraphs of copied text */
export const readPastedText = (text: string): JSONContent[] =>
  readText(
    text
      .trim()
      .split(/(?:\r?\n\s*){2,}/)
      .map((paragraph) => escape(paragraph).replaceAll(/\r?\n/g, '<br />'))
      .map((paragraph, _, all) => (all.length > 1 ? `<p>${paragraph}</p>` : paragraph))
      .join(''),
  )?.content ?? [];

function clean(nodes: readonly Parsed[], inside = ''): string {
  return nodes
    .map((node) => {
      if (node.type === ElementType.Text) return escape(node.data);
      if (node.type !== ElementType.Tag || dropped.has(node.name)) return '';
      const { name, attribs, children } = node;
      if (name === 'br') return '<br />';
      const code = attribs['data-liquid'];
      if (code !== undefined && /^\{[{%][^]*[}%]\}$/.test(code)) return code;
      const content = clean(children, `${inside} ${name} `);
      const href = attribs['href'];
      if (name === 'a' && href !== undefined && allowed.test(href) && !inside.includes(' a '))
        return `<a href="${encodeValue(href)}">${content}</a>`;
      // Programs for texts write all of a copied line as bold that is not.
      const isPlain = /font-weight:\s*(?:normal|400)/i.test(attribs['style'] ?? '');
      const isRepeated = !['ul', 'ol', 'li'].includes(name) && inside.includes(` ${name} `);
      if (kept.has(name) && !isPlain && !isRepeated) return `<${name}>${content}</${name}>`;
      return lines.has(name) && !/<(?:p|h\d|ul|ol|li)>/.test(content) ? `<p>${content}</p>` : content;
    })
    .join('');
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
