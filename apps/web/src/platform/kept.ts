/**
 * What was typed and could not be saved yet: kept in this tab until it is, over a reload and an expired session. Storage may
 * be switched off: then nothing is kept.
 */
const prefix = 'reachout.kept.';

/** In characters: a form holds much less. */
const longest = 100_000;

/** @returns what the form with this key has written */
export function readKept(key: string): unknown {
  try {
    const kept = sessionStorage.getItem(prefix + key);
    return kept === null ? undefined : JSON.parse(kept);
  } catch {
    return undefined;
  }
}

/** @param value  undefined once it is saved, or thrown away */
export function writeKept(key: string, value: object | undefined): void {
  try {
    const text = value && JSON.stringify(value);
    if (text === undefined || text.length > longest) sessionStorage.removeItem(prefix + key);
    else sessionStorage.setItem(prefix + key, text);
  } catch {
    // Without storage it stands in the form alone.
  }
}

/** Whoever signs in next in this tab is somebody else. */
export function forgetKept(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to forget.
  }
}
