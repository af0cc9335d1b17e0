/** The address of a navigation entry, and what decides whether it is current. */
export interface NavigationItem {
  href: string;
  /**
   * Whether it is current only if the path equals `href`. Required for overview entries, whose `href` is a prefix of their
   * siblings'.
   */
  exact?: boolean;
  /** Other paths that belong to this entry: brands are reached through clients. */
  alternates?: readonly string[];
  /** A search parameter whose presence makes another entry current. */
  exceptSearch?: string;
  /** Paths below `href` that belong to another entry: the import of contacts is below collections. */
  except?: readonly string[];
}

/** Compares with `href` if the entry is exact, otherwise tests `href` and the alternates as prefixes. */
export function isCurrent(entry: NavigationItem, path: string, search: object = {}): boolean {
  if (entry.exceptSearch !== undefined && Reflect.get(search, entry.exceptSearch) !== undefined) return false;
  if ((entry.except ?? []).some((other) => path.startsWith(other))) return false;
  const own = entry.exact ? path === entry.href || path === `${entry.href}/` : path.startsWith(entry.href);
  return own || (entry.alternates ?? []).some((alternate) => path.startsWith(alternate));
}
