import { Decoration, Extension, Mark, Node, type Extensions, type JSONContent } from '@tiptap/core';
import { Plugin, type EditorState, type Transaction } from '@tiptap/pm/state';
import { findTags, ownStyle, type Written } from './rich-text.ts';

/** How a text with Liquid is shown. */
export interface TextLook {
  /** What stands for merge tags in styles, such as the color of the brand. */
  values: Readonly<Record<string, string>>;
  /** The name that a person reads, of `{{ contact.first_name }}`. */
  nameOf: (code: string) => string;
}

/**
 * Styles of the email that are shown while its text is edited. The text stands in the page of the app, so that a style must
 * neither move it elsewhere nor load anything.
 */
const shownStyles =
  /^(?:color|background-color|font-(?:family|size|style|weight)|line-height|letter-spacing|text-(?:align|decoration|transform)|(?:margin|padding)(?:-(?:top|bottom|left|right))?|border-left)$/;

function shownStyle({ style = '' }: Written, { values }: TextLook): string {
  return style
    .slice(0, 1_000)
    .replaceAll(/\{\{\s*([\w.]+)[^}]*\}\}/g, (_, path: string) => values[path] ?? '')
    .split(';')
    .filter((rule) => {
      const [name = '', value = ''] = rule.split(':');
      return (
        shownStyles.test(name.trim().toLowerCase()) &&
        /^[\w\s#%.,()'"-]*$/.test(value) &&
        !/url|var/i.test(value)
      );
    })
    .join(';');
}

const written = { written: { default: {}, rendered: false } };
const styled = (attrs: Record<string, unknown>, look: TextLook) => {
  const style = shownStyle(attrs['written'] as Written, look);
  return style === '' ? {} : { style };
};

const simpleMark = (name: string, shown: string, element: string) =>
  Mark.create({
    name,
    addAttributes: () => ({ element: { default: element, rendered: false }, ...written }),
    renderHTML: () => [shown, 0],
  });

/** @param isOneLine  a label, such as that of a button */
// oxlint-disable-next-line max-lines-per-function -- a flat list: one kind of node or mark after the other
export function textExtensions(
  look: TextLook,
  isOneLine: boolean,
  keys: Record<string, () => boolean>,
): Extensions {
  return [
    // First, so that its keys come before the general ones.
    Extension.create({ name: 'keys', priority: 1_000, addKeyboardShortcuts: () => keys }),
    Node.create({ name: 'doc', topNode: true, content: isOneLine ? 'paragraph' : 'block+' }),
    Node.create({ name: 'text', group: 'inline' }),
    Node.create({
      name: 'paragraph',
      group: 'block',
      content: 'inline*',
      addAttributes: () => ({ isBare: { default: true, rendered: false }, ...written }),
      // A copy tells it from a line.
      renderHTML: ({ node }) => [
        node.attrs['isBare'] === true ? 'div' : 'p',
        { 'data-paragraph': '', ...styled(node.attrs, look) },
        0,
      ],
    }),
    Node.create({
      name: 'lineBreak',
      group: 'inline',
      inline: true,
      selectable: false,
      renderHTML: () => ['br'],
    }),
    Node.create({
      name: 'liquid',
      group: 'inline',
      inline: true,
      atom: true,
      addAttributes: () => ({ code: { default: '', rendered: false } }),
      renderHTML: ({ node }) => [
        'span',
        { 'data-liquid': String(node.attrs['code']) },
        look.nameOf(String(node.attrs['code'])),
      ],
    }),
    Node.create({
      name: 'heading',
      group: 'block',
      content: 'inline*',
      addAttributes: () => ({ level: { default: 2, rendered: false }, ...written }),
      renderHTML: ({ node }) => [`h${Number(node.attrs['level'])}`, styled(node.attrs, look), 0],
    }),
    Node.create({
      name: 'list',
      group: 'block',
      content: 'listItem+',
      addAttributes: () => ({ isOrdered: { default: false, rendered: false }, ...written }),
      renderHTML: ({ node }) => [node.attrs['isOrdered'] === true ? 'ol' : 'ul', styled(node.attrs, look), 0],
    }),
    Node.create({
      name: 'listItem',
      content: 'block+',
      defining: true,
      addAttributes: () => written,
      renderHTML: ({ node }) => ['li', styled(node.attrs, look), 0],
    }),
    Node.create({
      name: 'quote',
      group: 'block',
      content: 'block+',
      addAttributes: () => written,
      renderHTML: ({ node }) => ['blockquote', styled(node.attrs, look), 0],
    }),
    Mark.create({
      name: 'link',
      inclusive: false,
      addAttributes: () => ({ element: { default: 'a', rendered: false }, ...written }),
      // Without an address, it leads nowhere; a copy of the text has it.
      renderHTML: ({ mark }) => {
        const { href = '', rel } = mark.attrs['written'] as Written;
        return ['a', { 'data-link': href, ...(rel && { rel }), ...styled(mark.attrs, look) }, 0];
      },
    }),
    Mark.create({
      name: 'span',
      addAttributes: () => ({ element: { default: 'span', rendered: false }, ...written }),
      renderHTML: ({ mark }) => ['span', styled(mark.attrs, look), 0],
    }),
    simpleMark('bold', 'strong', 'strong'),
    simpleMark('italic', 'em', 'em'),
    simpleMark('underline', 'u', 'u'),
    simpleMark('strike', 's', 's'),
    simpleMark('subscript', 'sub', 'sub'),
    simpleMark('superscript', 'sup', 'sup'),
    Extension.create({
      name: 'typedTags',
      addProseMirrorPlugins: () => [
        new Plugin({
          appendTransaction: (transactions, _, state) =>
            transactions.some(({ docChanged }) => docChanged) ? withTags(state) : null,
        }),
      ],
    }),
    Extension.create({
      name: 'gaps',
      addDecorations: () => ({ create: ({ state }) => gapsOf(state) }),
    }),
  ];
}

/** Makes one node of each piece of Liquid that was typed or pasted, so that a mark covers all of it. */
function withTags(state: EditorState): Transaction | null {
  const { tr } = state;
  state.doc.descendants((node, pos) => {
    if (!node.isTextblock) return true;
    if (!node.textContent.includes('{')) return false;
    const { content = [] } = node.toJSON() as JSONContent;
    for (const { start, end, node: found } of findTags(content)) {
      const [from, to] = [start, end].map((at) => tr.mapping.map(pos + 1 + at, -1)) as [number, number];
      tr.replaceWith(from, to, state.schema.nodeFromJSON(found));
    }
    return false;
  });
  return tr.docChanged ? tr : null;
}

/** Paragraphs without an element are shown with the gap that they are written with. */
function gapsOf({ doc }: EditorState): Decoration[] {
  const found: Decoration[] = [];
  doc.descendants((parent, pos) => addGaps(parent, pos + 1));
  addGaps(doc, 0);
  return found;

  function addGaps(parent: typeof doc, start: number): boolean {
    if (parent.isTextblock) return false;
    const { content = [] } = parent.toJSON() as JSONContent;
    parent.forEach((node, offset, index) => {
      if (node.type.name !== 'paragraph' || node.attrs['isBare'] !== true) return;
      const style = ownStyle(content, index);
      if (style !== undefined)
        found.push(Decoration.Node(start + offset, start + offset + node.nodeSize, { style }));
    });
    return true;
  }
}
