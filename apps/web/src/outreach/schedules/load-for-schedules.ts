import { loadScheduleTexts } from '#web/i18n/i18n.ts';
import { loadChunk, loadWithTexts } from '#web/platform/lazy-chunks.ts';

/**
 * Loads what all code about schedules needs, for `lazy`: their texts, and Temporal for browsers without it (in 2026 that is
 * Safari).
 */
export const loadForSchedules = async <T>(load: () => Promise<T>): Promise<T> => {
  if (!('Temporal' in globalThis)) await loadChunk(() => import('temporal-polyfill/global'));
  return await loadWithTexts(load, loadScheduleTexts);
};
