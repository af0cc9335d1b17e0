import { Editor, type JSONContent } from '@tiptap/core';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Point, Rect } from '#web/content/editor/canvas/canvas-document.ts';
import classes from '#web/content/editor/mail-editor.module.css';
import { insertCopied, selectText, splitText, toDocument } from './edit-text.ts';
import { textExtensions, type TextLook } from './extensions.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { picturesIn } from './read-pasted.ts';
import { readText, writeText } from './rich-text.ts';

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
        if (!on.onEnter) return splitText(current);
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
        'Mod-a': () => selectText(created),
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
    else selectText(created);
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

/** Whether a text can be edited where it stands. */
export const isEditableText = (content: string, isOneLine: boolean): boolean => {
  const document = readText(content);
  return (
    document !== undefined &&
    (!isOneLine || (document.content ?? []).every(({ type }) => type === 'paragraph'))
  );
};
