import { useSyncExternalStore } from 'react';
import { readLocal, writeLocal } from './local.ts';

/** The user's preferences, with the keys of the map stored on the server. An absent key means the default. */
export interface Preferences {
  language?: 'en' | 'de';
  theme?: 'auto' | 'light' | 'dark';
  density?: 'comfortable' | 'compact';
  /** ISO 3166-1 alpha-2, for the format of numbers and dates. Default: as in the browser. */
  region?: string;
  /** IANA name. Default: that of the browser. */
  time_zone?: string;
  shortcuts?: boolean;
  /** Default: the system setting. */
  motion?: 'reduced';
  /** Names of the list's visible columns besides the first. */
  [list: ColumnsKey]: string[];
  /** Width in pixels. */
  [panel: PanelKey]: number;
}

export type ColumnsKey = `columns.${string}`;
export type PanelKey = `panel.${string}`;

// Separate from the operations: formats, shortcuts and tables read this synchronously, even before anything is loaded.
const key = 'preferences';
const listeners = new Set<() => void>();
let current = parse(readLocal(key));

/** True once preferences of any user were stored in this browser. */
export const hasPreferences = (): boolean => readLocal(key) !== undefined;

export const currentPreferences = (): Preferences => current;

export const usePreferences = (): Preferences => useSyncExternalStore(listen, currentPreferences);

/** Stores a copy in this browser, for the next start and for other tabs. */
export function keepPreferences(preferences: Preferences): void {
  writeLocal(key, JSON.stringify(preferences));
  show(preferences);
}

/** Resets to the browser's defaults after a sign-out. */
export const dropPreferences = (): void => show({});

/** Reads the preferences known to this release from the stored map; other entries are left in it. */
export function readPreferences(map: Readonly<Record<string, unknown>>): Preferences {
  const { language, theme, density, region, time_zone, shortcuts, motion } = map;
  return {
    ...(language === 'en' || language === 'de' ? { language } : {}),
    ...(theme === 'auto' || theme === 'light' || theme === 'dark' ? { theme } : {}),
    ...(density === 'comfortable' || density === 'compact' ? { density } : {}),
    ...(typeof region === 'string' && /^[A-Z]{2}$/.test(region) ? { region } : {}),
    ...(typeof time_zone === 'string' && isTimeZone(time_zone) ? { time_zone } : {}),
    ...(typeof shortcuts === 'boolean' ? { shortcuts } : {}),
    ...(motion === 'reduced' ? { motion } : {}),
    ...Object.fromEntries(
      Object.entries(map).filter((entry) => isColumnChoice(entry) || isPanelWidth(entry)),
    ),
  };
}

const isColumnChoice = (entry: [string, unknown]): entry is [ColumnsKey, string[]] =>
  entry[0].startsWith('columns.') &&
  Array.isArray(entry[1]) &&
  entry[1].every((name) => typeof name === 'string');

const isPanelWidth = (entry: [string, unknown]): entry is [PanelKey, number] =>
  entry[0].startsWith('panel.') && typeof entry[1] === 'number';

/** The chosen time zone, otherwise the browser's. */
export const currentTimeZone = (): string =>
  current.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

function show(preferences: Preferences): void {
  current = preferences;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  // Another tab has changed a preference.
  const onStorage = (event: StorageEvent) => {
    if (event.key === `reachout.${key}`) show(parse(event.newValue ?? undefined));
  };
  listeners.add(listener);
  addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', onStorage);
  };
}

function parse(text: string | undefined): Preferences {
  try {
    const map: unknown = JSON.parse(text ?? '{}');
    return readPreferences(map as Record<string, unknown>);
  } catch {
    return {};
  }
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
