import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/**
 * Hides the least important parts of a region's content, as many as needed for it to be no wider than the region. Parts are
 * elements with `data-hide`, their position in the order of hiding; the hidden positions are in `data-hidden` of the content,
 * for CSS. Measured before each paint, without rendering again.
 * @param rows, columnCount  change with the content
 * @returns the ref of the region, whose first child is the content, and whether it fits
 */
export function useFits(
  rows: unknown,
  columnCount: number,
): [ref: (region: HTMLElement | null) => (() => void) | undefined, fits: boolean] {
  const [fits, setFits] = useState(true);
  const measure = useRef(() => {});
  const ref = useCallback((region: HTMLElement | null) => {
    const content = region?.firstElementChild;
    if (!region || !(content instanceof HTMLElement)) return undefined;
    measure.current = () => {
      const parts = [...content.querySelectorAll<HTMLElement>('[data-hide]')];
      const rest = [...new Set(parts.map((part) => Number(part.dataset['hide'])))].toSorted((a, b) => a - b);
      const isTooWide = () => content.scrollWidth > region.clientWidth;
      content.dataset['hidden'] = '';
      while (isTooWide() && rest.length > 0) content.dataset['hidden'] += ` ${rest.shift()}`;
      setFits(!isTooWide());
    };
    measure.current();
    // Deferred, because it changes what is observed.
    const observer = new ResizeObserver(() => requestAnimationFrame(() => measure.current()));
    observer.observe(region);
    observer.observe(content);
    return () => {
      observer.disconnect();
      measure.current = () => {};
    };
  }, []);
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- other rows and columns have another width
  useLayoutEffect(() => measure.current(), [rows, columnCount]);
  return [ref, fits];
}
