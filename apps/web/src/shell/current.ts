/** A navigation entry as far as "am I there?" is concerned. */
export interface NavigationItem {
  href: string;
  /** Current only when the path equals href. Overview entries, whose href starts their siblings', must be exact. */
  exact?: boolean;
  /** Other paths that belong to this entry: brands are reached through clients. */
  alternates?: readonly string[];
  /** Paths below href that belong to another entry: the import of contacts is below collections. */
  except?: readonly string[];
}

/** Equal to href if the entry is exact, else a plain prefix test on href and the alternates. */
export function isCurrent(entry: NavigationItem, path: string): boolean {
  if ((entry.except ?? []).some((other) => path.startsWith(other))) return false;
  const own = entry.exact ? path === entry.href || path === `${entry.href}/` : path.startsWith(entry.href);
  return own || (entry.alternates ?? []).some((alternate) => path.startsWith(alternate));
}
