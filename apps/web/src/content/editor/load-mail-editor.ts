import { warmWorker } from './canvas/compile-workers.ts';
import { loadContactTexts } from '#web/i18n/i18n.ts';
import { loadChunk } from '#web/platform/lazy-chunks.ts';

/** Loads the editor of emails with its texts and those of its images, for `lazyPart`. */
export async function loadMailEditor() {
  warmWorker();
  const [editor] = await loadChunk(() => Promise.all([import('./mail-editor.tsx'), loadContactTexts()]));
  return editor;
}
