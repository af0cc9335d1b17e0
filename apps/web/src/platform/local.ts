/** Settings of this browser that need no account. If storage is disabled, nothing is stored. */
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
    // Private windows may forbid storage; the setting then lasts until a reload.
  }
}

export function forgetLocal(keys: readonly string[]): void {
  try {
    for (const key of keys) localStorage.removeItem(prefix + key);
  } catch {
    // Without storage there is nothing to remove.
  }
}
