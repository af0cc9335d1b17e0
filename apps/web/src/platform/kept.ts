/** Stores unsaved input in this tab until it is saved, across reloads and an expired session, unless storage is disabled. */
const prefix = 'reachout.kept.';

/** Maximum length in characters: an email of 1 MB, with each quote and line break written as two characters. */
const longest = 2_200_000;

/** @returns the stored input of the form with this key */
export function readKept(key: string): unknown {
  try {
    const kept = sessionStorage.getItem(prefix + key);
    return kept === null ? undefined : JSON.parse(kept);
  } catch {
    return undefined;
  }
}

/** @param value  undefined once it is saved or discarded */
export function writeKept(key: string, value: object | undefined): void {
  try {
    const text = value && JSON.stringify(value);
    if (text === undefined || text.length > longest) sessionStorage.removeItem(prefix + key);
    else sessionStorage.setItem(prefix + key, text);
  } catch {
    // Without storage, the input is only in the form.
  }
}

/** The next user of this tab may be a different person. */
export function forgetKept(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to remove.
  }
}
