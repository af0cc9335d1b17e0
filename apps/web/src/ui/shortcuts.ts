import { currentPreferences } from '#web/platform/preferences.ts';

/** Single-key shortcuts can be switched off entirely (WCAG 2.1.4). */
export const shortcutsOn = (): boolean => currentPreferences().shortcuts !== false;
