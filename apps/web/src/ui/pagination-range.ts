export type PageMark = number | 'dots-left' | 'dots-right';

/**
 * @returns the page numbers to offer: all of them up to `siblings + 5` pages; else first, last and a window around the
 * current page. At an edge a run of `3 + 2 × siblings` pages (at most all but two). Dots only where they hide a page.
 * @param page 1-based
 */
export function paginationRange(page: number, total: number, siblings = 1): PageMark[] {
  if (total <= siblings + 5) return run(1, total);
  const left = Math.max(page - siblings, 1);
  const right = Math.min(page + siblings, total);
  const hidesLeft = left > 2;
  const hidesRight = right < total - 1;
  const edge = Math.min(3 + 2 * siblings, total - 2);

  if (hidesLeft && hidesRight) return [1, 'dots-left', ...run(left, right), 'dots-right', total];
  if (hidesRight) return [...run(1, edge), 'dots-right', total];
  if (hidesLeft) return [1, 'dots-left', ...run(total - edge + 1, total)];
  return run(1, total);
}

function run(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
