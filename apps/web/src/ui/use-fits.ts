import { useCallback, useState } from 'react';

/**
 * Whether the content of a region is no wider than the region, after layout.
 * @returns the ref of the region, whose first child may be wider
 */
export function useFits(): [ref: (region: HTMLElement | null) => (() => void) | undefined, fits: boolean] {
  const [fits, setFits] = useState(true);
  const ref = useCallback((region: HTMLElement | null) => {
    const content = region?.firstElementChild;
    if (!region || !content) return undefined;
    const observer = new ResizeObserver(() => setFits(content.scrollWidth <= region.clientWidth));
    observer.observe(region);
    observer.observe(content);
    return () => observer.disconnect();
  }, []);
  return [ref, fits];
}
