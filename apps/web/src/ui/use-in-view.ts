import { useCallback, useState } from 'react';

/** How far outside of the window an element still counts as in view, in px: it is there when it is scrolled to. */
const margin = 120;

/** Whether an element is in view, or nearly. */
export function useInView(): [ref: (element: Element | null) => (() => void) | undefined, isInView: boolean] {
  const [isInView, setIsInView] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setIsInView(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: `${margin}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isInView];
}
