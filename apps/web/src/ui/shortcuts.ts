import { readLocal, writeLocal } from '../platform/local.ts';

/** Single-key shortcuts can be switched off entirely (WCAG 2.1.4). */
export const shortcutsOn = (): boolean => readLocal('shortcuts') !== 'off';

export const setShortcuts = (on: boolean): void => writeLocal('shortcuts', on ? 'on' : 'off');
