/** What this browser remembers without an account. Storage may be switched off: then nothing is kept. */
const prefix = 'reachout.';

export function readLocal(key: string): string | undefined {
  try {
    return localStorage.getItem(prefix + key) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeLocal(key: string, value: string): void {
  try {
    localStorage.setItem(prefix + key, value);
  } catch {
    // Private windows may forbid it; the setting then lasts until reload.
  }
}

export function forgetLocal(keys: readonly string[]): void {
  try {
    for (const key of keys) localStorage.removeItem(prefix + key);
  } catch {
    // Without storage there is nothing to forget.
  }
}
