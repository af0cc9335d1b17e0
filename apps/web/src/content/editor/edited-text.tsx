import type { Editor } from '@tiptap/core';
import { kindOf } from './blocks.ts';
import type { Shown } from './canvas/canvas.tsx';
import { textElement } from './canvas/canvas-document.ts';
import { nameOfCode } from './canvas/mark-source.ts';
import { blockAt, setBlockContent } from './source/operations.ts';
import { TextEditor } from './text/text-editor.tsx';
import type { BlockEditor } from './use-block-editor.ts';

interface Props {
  editor: BlockEditor;
  shown: Shown;
  onSlash: () => void;
  onReady: (editor: Editor | undefined) => void;
}

/** The text of the selected block, edited where it stands in the email. */
export function EditedText({ editor, shown: { frame, stage }, onSlash, onReady }: Props) {
  const { store, snapshot, texts, block, edited } = editor;
  const over = edited && textElement(frame, editor.index);
  if (!over || !block) return null;
  const isOneLine = edited.element.name === 'mj-button';
  const close = () => {
    editor.leaveText();
    stage.querySelector<HTMLElement>('[aria-selected=true]')?.focus({ preventScroll: true });
  };
  const current = () => {
    const { parsed, selected, selection } = store.read();
    // A last letter must not be written into a block that was selected meanwhile.
    if (selection !== snapshot.selection) return undefined;
    const { node } = (selected !== undefined && blockAt(parsed, selected)) || {};
    return node?.kind === 'element' ? { parsed, node } : undefined;
  };
  const isHeading = kindOf(edited.element, snapshot.source) === 'heading';
  return (
    <TextEditor
      key={edited.count}
      label={editor.nameOf(block)}
      read={() => {
        const { parsed, node } = current() ?? {};
        return parsed && node && parsed.source.slice(node.contentStart, node.contentEnd);
      }}
      subscribe={store.subscribe}
      onChange={(content) => {
        const { parsed, node } = current() ?? {};
        if (parsed && node) store.apply({ splices: setBlockContent(parsed, node, content) }, 'text');
      }}
      over={over}
      rect={over.getBoundingClientRect()}
      look={{ values: texts.values, nameOf: (code) => nameOfCode(code, texts) }}
      isOneLine={isOneLine}
      at={edited.at}
      onEnter={isOneLine ? close : isHeading ? () => editor.add('text') : undefined}
      onClose={close}
      onStep={editor.step}
      onSlash={onSlash}
      onUndo={() => store.undo()}
      onRedo={() => store.redo()}
      onReady={onReady}
    />
  );
}
