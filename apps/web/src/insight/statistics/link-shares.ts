import type { LinkClicks } from '@reachout/contract/statistics.ts';

export interface LinkRow extends LinkClicks {
  /** 1-based, as in the preview and the table. */
  number: number;
  /** Share of the unique clicks on all links; 0 if there are none. */
  share: number;
}

/** Sorted by clicks, most first. */
export function toLinkRows(links: readonly LinkClicks[]): LinkRow[] {
  const all = links.reduce((sum, { unique }) => sum + unique, 0);
  return links
    .map((link) => ({ ...link, number: link.link_no + 1, share: all === 0 ? 0 : link.unique / all }))
    .toSorted((one, other) => other.unique - one.unique || one.link_no - other.link_no);
}

/** A link with at least half the clicks of the most clicked one is highlighted. */
export function weightOf({ unique }: LinkRow, rows: readonly LinkRow[]): 'most' | 'some' | 'none' {
  const most = Math.max(...rows.map((row) => row.unique));
  return unique === 0 ? 'none' : unique * 2 >= most ? 'most' : 'some';
}
