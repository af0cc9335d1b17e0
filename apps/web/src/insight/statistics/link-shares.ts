import type { LinkClicks } from '@reachout/contract/statistics.ts';

export interface LinkRow extends LinkClicks {
  /** As the picture and the table count: from 1. */
  number: number;
  /** Of the unique clicks of all links; 0 while there are none. */
  share: number;
}

/** The most clicked first. */
export function toLinkRows(links: readonly LinkClicks[]): LinkRow[] {
  const all = links.reduce((sum, { unique }) => sum + unique, 0);
  return links
    .map((link) => ({ ...link, number: link.link_no + 1, share: all === 0 ? 0 : link.unique / all }))
    .toSorted((one, other) => other.unique - one.unique || one.link_no - other.link_no);
}

/** From half of what the most clicked link has, a link stands out. */
export function weightOf({ unique }: LinkRow, rows: readonly LinkRow[]): 'most' | 'some' | 'none' {
  const most = Math.max(...rows.map((row) => row.unique));
  return unique === 0 ? 'none' : unique * 2 >= most ? 'most' : 'some';
}
