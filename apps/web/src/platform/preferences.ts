import { useSyncExternalStore } from 'react';
import { readLocal, writeLocal } from './local.ts';

/** What a person chose. Absent means the default; the same keys as in the map that the server keeps. */
export interface Preferences {
  language?: 'en' | 'de';
  theme?: 'auto' | 'light' | 'dark';
  density?: 'comfortable' | 'compact';
  /** ISO 3166-1 alpha-2, for the way numbers and dates are written; absent: as the browser has it. */
  region?: string;
  /** IANA name; absent: the browser's. */
  time_zone?: string;
  shortcuts?: boolean;
  /** Absent: as the system has it. */
  motion?: 'reduced';
  /** The columns of a list that are shown beside its first, by their names. */
  [list: ColumnsKey]: string[];
}

export type ColumnsKey = `columns.${string}`;

// Apart from the operations: formats, shortcuts and tables read it at once, also before anything was loaded.
const key = 'preferences';
const listeners = new Set<() => void>();
let current = parse(readLocal(key));

/** True once somebody's preferences have been here in this browser. */
export const hasPreferences = (): boolean => readLocal(key) !== undefined;

export const currentPreferences = (): Preferences => current;

export const usePreferences = (): Preferences => useSyncExternalStore(listen, currentPreferences);

/** Keeps a copy in this browser, for the next start and for other tabs. */
export function keepPreferences(preferences: Preferences): void {
  writeLocal(key, JSON.stringify(preferences));
  show(preferences);
}

/** Back to what the browser says: somebody signed out. */
export const dropPreferences = (): void => show({});

/** Takes from a stored map what this release knows; anything else stays where it is. */
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
    ...Object.fromEntries(Object.entries(map).filter(isColumnChoice)),
  };
}

const isColumnChoice = (entry: [string, unknown]): entry is [ColumnsKey, string[]] =>
  entry[0].startsWith('columns.') &&
  Array.isArray(entry[1]) &&
  entry[1].every((name) => typeof name === 'string');

/** The chosen time zone, or the browser's. */
export const currentTimeZone = (): string =>
  current.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

function show(preferences: Preferences): void {
  current = preferences;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  // Another tab has changed something.
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
