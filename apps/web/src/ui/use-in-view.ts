import { useCallback, useState } from 'react';

/** Distance outside the viewport, in px, at which an element already counts as in view, to be loaded in time. */
const margin = 120;

/** Whether an element is in or near the viewport. */
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
