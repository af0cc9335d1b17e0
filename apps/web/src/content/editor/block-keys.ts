import type { KeyboardEvent } from 'react';
import { nextPlace } from './source/operations.ts';
import type { BlockEditor } from './use-block-editor.ts';

/**
 * The keys of the canvas.
 * @param goTo  opens the menu of new blocks, or moves the focus to the settings of the selected block
 */
export function pressBlockKey(
  event: KeyboardEvent,
  editor: BlockEditor,
  goTo: { newBlocks: () => void; settings: () => void },
): void {
  const { blocks, block, index, readOnly } = editor;
  const changed = readOnly ? undefined : block;
  const go = (to: number) => {
    const next = blocks[Math.max(0, Math.min(to, blocks.length - 1))];
    if (next) editor.select(next);
  };
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
  const isMod = event.ctrlKey || event.metaKey;
  if (by !== undefined && event.altKey) {
    if (changed) editor.move(changed, nextPlace(editor.parsed, changed, by));
  } else if (by !== undefined) go(index + by);
  else if (event.key === 'Home') go(0);
  else if (event.key === 'End') go(blocks.length - 1);
  else if ((event.key === 'Delete' || event.key === 'Backspace') && changed) editor.remove(changed);
  else if ((event.key === 'Enter' || event.key === 'F2') && block) {
    if (editor.canEdit(block)) editor.enter(block);
    else goTo.settings();
  } else if (event.key === 'Escape' && block) {
    const outer = blocks.find(({ node }) => block.parents[0] === node);
    if (outer) editor.select(outer);
  } else if (event.key.toLowerCase() === 'd' && isMod && changed) editor.duplicate(changed);
  else if (event.key === '/' && !readOnly) goTo.newBlocks();
  else return;
  event.preventDefault();
}
