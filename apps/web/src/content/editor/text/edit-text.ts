import type { Editor, JSONContent } from '@tiptap/core';
import { Fragment, Slice, type Mark, type Node } from '@tiptap/pm/model';
import { readPasted, readPastedText } from './read-pasted.ts';
import { readText, type Written } from './rich-text.ts';

/** @throws nothing: contents that are no texts are never edited here */
export function toDocument(content: string, isOneLine: boolean): JSONContent {
  const document = readText(content) ?? { type: 'doc', content: [] };
  if (!isOneLine) return document;
  const inline = (document.content ?? []).flatMap(inlineOf);
  const attrs = { isBare: true, written: {} };
  return {
    type: 'doc',
    content: [{ type: 'paragraph', attrs, ...(inline.length > 0 ? { content: inline } : {}) }],
  };
}

/** All text within a node, without its blocks. */
const inlineOf = (node: JSONContent): JSONContent[] =>
  ['text', 'liquid', 'lineBreak'].includes(node.type ?? '') ? [node] : (node.content ?? []).flatMap(inlineOf);

/** Paragraphs, items and lines one after the other in one line. */
const joined = (nodes: readonly JSONContent[]): JSONContent[] =>
  nodes.flatMap((node, index) => {
    const isBlock = node.content !== undefined;
    const own = isBlock ? joined(node.content!) : [node.type === 'lineBreak' ? blank : node];
    return isBlock && index > 0 ? [blank, ...own] : own;
  });

const blank: JSONContent = { type: 'text', text: ' ' };

/** Puts what was copied in place of the selection. */
export function insertCopied(
  { state, view, schema }: Editor,
  copied: Pick<DataTransfer, 'getData'>,
  isOneLine: boolean,
): void {
  // Of what cannot be read as formatted text, the words are kept.
  const formatted = readPasted(copied.getData('text/html'));
  const plain = formatted.length > 0 ? [] : readPastedText(copied.getData('text/plain'));
  const pasted = [...formatted, ...plain];
  if (pasted.length === 0) return;
  const { $from } = state.selection;
  // Text without a look takes that of its place.
  const marks = formatted.length > 0 ? undefined : (state.storedMarks ?? $from.marks());
  const toNode = (json: JSONContent) => {
    const node = schema.nodeFromJSON(json);
    return marks === undefined ? node : withMarks(node, marks);
  };
  const isInList = $from.depth > 1 && $from.node(-1).type.name === 'listItem';
  const nodes = (isOneLine ? joined(pasted) : pasted).map(toNode);
  /** How deep the first or last paragraph is, which continues the one that it is put into. */
  const depthAt = (side: 'firstChild' | 'lastChild') => {
    const node = side === 'firstChild' ? nodes[0] : nodes.at(-1);
    if (node?.type.name === 'paragraph') return 1;
    return isInList && node?.type.name === 'list' && node[side]?.[side]?.type.name === 'paragraph' ? 3 : 0;
  };
  const slice = new Slice(Fragment.fromArray(nodes), depthAt('firstChild'), depthAt('lastChild'));
  view.dispatch(state.tr.replaceSelection(slice).scrollIntoView());
}

const withMarks = (node: Node, marks: readonly Mark[]): Node =>
  node.isText
    ? node.mark(marks)
    : node.copy(Fragment.fromArray(node.children.map((child) => withMarks(child, marks))));

/** Typing over a selection of text keeps the heading around it; over one of the whole document, it would not. */
export const selectText = ({ commands, state }: Editor): boolean =>
  commands.setTextSelection({ from: 1, to: state.doc.content.size - 1 });

/** Enter, where it does more than to split the paragraph. */
export const splitText = (editor: Editor): boolean =>
  editor.commands.splitListItem('listItem') || continueParagraph(editor);

/**
 * Enter at the end of the last paragraph: what it continues is as far away as the paragraphs before it, and what is below the text
 * stays as near as it was.
 */
function continueParagraph(editor: Editor): boolean {
  const { $from, empty } = editor.state.selection;
  const { parent: paragraph, depth } = $from;
  const [around, index] = [$from.node(-1), $from.index(-1)];
  if (!empty || paragraph.type.name !== 'paragraph' || paragraph.attrs['isBare'] === true) return false;
  // Within a list or quote, Enter in an empty paragraph leads out of it.
  if (paragraph.childCount === 0 && depth > 1) return false;
  if (index < around.childCount - 1 || $from.parentOffset < paragraph.content.size) return false;
  const before = index > 0 && around.child(index - 1).type === paragraph.type && around.child(index - 1);
  const written = paragraph.attrs['written'] as Written;
  const style = written['style']?.replace(/margin:\s*0(?:px)?\s*(?=;|$)/i, 'margin:0 0 16px');
  const attrs = before
    ? before.attrs
    : { ...paragraph.attrs, written: { ...written, ...(style && { style }) } };
  return editor
    .chain()
    .splitBlock()
    .command(({ tr }) => tr.setNodeMarkup($from.before(), undefined, attrs) !== undefined)
    .run();
}
