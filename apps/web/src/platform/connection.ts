import { useSyncExternalStore } from 'react';

/**
 * Whether the server can be reached: `offline` if this machine has no network, `away` if the server does not respond,
 * `outdated` if it has a newer release, without the files that this tab still requests.
 */
export type Connection = 'fine' | 'offline' | 'away' | 'outdated';

const recheckAfterMs = 5_000;
const checkTimeoutMs = 10_000;

let connection: Connection = 'fine';
let checking: Promise<Connection> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const changes = new EventTarget();

export const isAway = (state: Connection): boolean => state === 'offline' || state === 'away';

/** Call once, before anything is loaded. */
export function watchConnection(): void {
  window.addEventListener('offline', () => change('offline'));
  window.addEventListener('online', () => void checkConnection());
}

/** Asks the server for its current release. While the server is away, this is repeated every few seconds. */
export function checkConnection(): Promise<Connection> {
  checking ??= readConnection().then((found) => {
    checking = undefined;
    change(found);
    return found;
  });
  return checking;
}

/** Waits after a request failed without a connection. @returns as soon as the server can be reached again */
export async function waitForConnection(): Promise<void> {
  while (isAway(connection)) {
    await new Promise<void>((resolve) => {
      changes.addEventListener('change', () => resolve(), { once: true });
    });
  }
}

/** @returns a function that removes the listener */
export function onConnectionChange(listener: (now: Connection, before: Connection) => void): () => void {
  const tell = (event: Event) => {
    const { now, before } = (event as CustomEvent<{ now: Connection; before: Connection }>).detail;
    listener(now, before);
  };
  changes.addEventListener('change', tell);
  return () => changes.removeEventListener('change', tell);
}

export const useConnection = (): Connection =>
  useSyncExternalStore(
    (onChange) => onConnectionChange(onChange),
    () => connection,
  );

function change(now: Connection): void {
  clearTimeout(timer);
  if (isAway(now)) timer = setTimeout(() => void checkConnection(), recheckAfterMs);
  const before = connection;
  if (now === before) return;
  connection = now;
  changes.dispatchEvent(new CustomEvent('change', { detail: { now, before } }));
}

async function readConnection(): Promise<Connection> {
  if (!navigator.onLine) return 'offline';
  try {
    const response = await fetch('/', {
      // The page is only served for this type.
      headers: { accept: 'text/html' },
      cache: 'no-store',
      signal: AbortSignal.timeout(checkTimeoutMs),
    });
    if (!response.ok) return 'away';
    const page = await response.text();
    const running = [...document.querySelectorAll('script[type=module][src]')];
    return running.every((script) => page.includes(script.getAttribute('src')!)) ? 'fine' : 'outdated';
  } catch {
    return 'away';
  }
}
