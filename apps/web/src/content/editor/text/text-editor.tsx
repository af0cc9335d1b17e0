import { Editor, type JSONContent } from '@tiptap/core';
import { Fragment, Slice, type Mark, type Node } from '@tiptap/pm/model';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point } from '#web/content/editor/canvas/canvas.tsx';
import type { Rect } from '#web/content/editor/canvas/canvas-document.ts';
import classes from '#web/content/editor/mail-editor.module.css';
import { textExtensions, type TextLook } from './extensions.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { picturesIn, readPasted, readPastedText } from './read-pasted.ts';
import { readText, writeText, type Written } from './rich-text.ts';

interface Props {
  /** The name of the text for screen readers. */
  label: string;
  /** @returns the text as it stands in the source now; undefined if it is gone */
  read: () => string | undefined;
  /** Tells of each change of the source. @returns ends it */
  subscribe: (listener: () => void) => () => void;
  onChange: (content: string) => void;
  /** The element of the email that this text stands over, and takes its look from. */
  over: HTMLElement;
  rect: Rect;
  look: TextLook;
  /** A label such as that of a button, without paragraphs. */
  isOneLine: boolean;
  /** Where it was clicked, in the window; otherwise all is selected. */
  at: Point | undefined;
  /** Enter in a heading or label. */
  onEnter?: (() => void) | undefined;
  /** Escape. */
  onClose: () => void;
  /** Tab, if it leads to another text. */
  onStep: (step: 1 | -1) => boolean;
  /** "/" in an empty paragraph, which is removed. */
  onSlash: (hasText: boolean) => void;
  onUndo: () => void;
  onRedo: () => void;
  onReady: (editor: Editor | undefined) => void;
}

const styles = [
  'fontFamily',
  'fontSize',
  'fontWeight',
  'fontStyle',
  'lineHeight',
  'letterSpacing',
  'color',
  'textAlign',
  'textTransform',
  'padding',
] as const;

/** Edits a text where it stands in the email, from outside of its frame. */
export function TextEditor({
  label,
  read,
  subscribe,
  over,
  rect,
  look,
  isOneLine,
  at,
  onReady,
  ...on
}: Props) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const known = useRef<string>(undefined);
  const { t } = useTranslation('editor');
  const insert = useEffectEvent((copied: DataTransfer) => {
    if (!editor.current) return;
    insertCopied(editor.current, copied, isOneLine);
    const pictures = picturesIn(copied.getData('text/html'));
    if (pictures.length === 0) return;
    const names = pictures.filter((name) => name !== '').slice(0, 5);
    const named = names.length === 0 ? '' : ` (${names.map((name) => name.slice(0, 60)).join(', ')})`;
    notifyFailure(t('picturesLeftOut', { count: pictures.length, names: named }));
  });
  const change = useEffectEvent((document: JSONContent) => {
    known.current = writeText(document);
    on.onChange(known.current);
  });
  const handle = useEffectEvent(
    (name: 'enter' | 'escape' | 'undo' | 'redo' | 'tab' | 'back' | 'slash'): boolean => {
      const current = editor.current;
      if (!current) return false;
      if (name === 'escape') on.onClose();
      else if (name === 'undo') on.onUndo();
      else if (name === 'redo') on.onRedo();
      else if (name === 'enter') {
        if (!on.onEnter) return current.commands.splitListItem('listItem') || continueParagraph(current);
        on.onEnter();
      } else if (name === 'tab' || name === 'back') return on.onStep(name === 'tab' ? 1 : -1);
      else {
        const { $from, empty } = current.state.selection;
        if (isOneLine || !empty || $from.parent.content.size > 0) return false;
        const hasText = current.state.doc.textContent !== '';
        if (hasText) current.commands.deleteNode($from.parent.type.name);
        on.onSlash(hasText);
      }
      return true;
    },
  );

  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const toggle = (mark: string) => () => created.commands.toggleMark(mark);
    // Typing over a selection of text keeps the heading around it; over one of the whole document, it would not.
    const selectText = () =>
      created.commands.setTextSelection({ from: 1, to: created.state.doc.content.size - 1 });
    const key = (name: Parameters<typeof handle>[0]) => () => handle(name);
    const created = new Editor({
      element,
      injectCSS: false,
      enableInputRules: false,
      enablePasteRules: false,
      content: toDocument((known.current = read() ?? ''), isOneLine),
      extensions: textExtensions(look, isOneLine, {
        Enter: key('enter'),
        Escape: key('escape'),
        Tab: key('tab'),
        'Shift-Tab': key('back'),
        '/': key('slash'),
        'Mod-z': key('undo'),
        'Mod-y': key('redo'),
        'Shift-Mod-z': key('redo'),
        'Mod-a': selectText,
        'Mod-b': toggle('bold'),
        'Mod-i': toggle('italic'),
        'Mod-u': toggle('underline'),
        'Shift-Enter': () => created.commands.insertContent({ type: 'lineBreak' }),
      }),
      editorProps: {
        attributes: { role: 'textbox', 'aria-label': label, 'aria-multiline': String(!isOneLine) },
        // Before the general way, which would have the browser parse the copied HTML; the content security policy forbids that.
        handleDOMEvents: {
          paste: (_view, event) => {
            event.preventDefault();
            if (event.clipboardData) insert(event.clipboardData);
            return true;
          },
          drop: (view, event) => {
            // Its own text is moved.
            if (view.dragging) return false;
            event.preventDefault();
            const to = view.posAtCoords({ left: event.clientX, top: event.clientY });
            if (to && event.dataTransfer && event.dataTransfer.files.length === 0) {
              created.commands.setTextSelection(to.pos);
              insert(event.dataTransfer);
            }
            return true;
          },
        },
      },
      onUpdate: () => change(created.getJSON()),
    });
    editor.current = created;
    onReady(created);
    const place = at && created.view.posAtCoords({ left: at.x, top: at.y });
    if (place) created.commands.setTextSelection(place.pos);
    else selectText();
    created.view.focus();
    return () => {
      editor.current = undefined;
      onReady(undefined);
      created.destroy();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- another text is another component
  }, []);

  // Undone, or changed elsewhere.
  const follow = useEffectEvent(() => {
    const now = read();
    if (now === undefined || now === known.current) return;
    known.current = now;
    editor.current?.commands.setContent(toDocument(now, isOneLine), { emitUpdate: false });
  });
  useEffect(() => subscribe(() => follow()), [subscribe]);

  useLayoutEffect(() => {
    over.setAttribute('data-edited', '');
    return () => over.removeAttribute('data-edited');
  }, [over]);
  useLayoutEffect(() => {
    const view = over.ownerDocument.defaultView;
    if (!view || !host.current) return;
    const shown = view.getComputedStyle(over);
    for (const name of styles) host.current.style[name] = shown[name];
  }, [over, rect]);

  return (
    <div
      ref={host}
      className={classes.text}
      style={{
        left: rect.left,
        top: rect.top,
        width: rect.right - rect.left,
        minHeight: rect.bottom - rect.top,
      }}
    />
  );
}

/** @throws nothing: contents that are no texts are never edited here */
function toDocument(content: string, isOneLine: boolean): JSONContent {
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
function insertCopied({ state, view, schema }: Editor, copied: DataTransfer, isOneLine: boolean): void {
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

/** Whether a text can be edited where it stands. */
export const isEditableText = (content: string, isOneLine: boolean): boolean => {
  const document = readText(content);
  return (
    document !== undefined &&
    (!isOneLine || (document.content ?? []).every(({ type }) => type === 'paragraph'))
  );
};
