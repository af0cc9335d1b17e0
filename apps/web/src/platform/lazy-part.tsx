import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { loadChunk, loadWithTexts } from './lazy-chunks.ts';

interface Options {
  /** Loads the texts of the chunk. */
  texts?: () => Promise<unknown>;
  /** Shown while it is being loaded. Default: nothing. */
  fallback?: ReactNode;
}

/** The component of a lazy chunk, which is loaded when it is first rendered. */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { texts, fallback = null }: Options = {},
) {
  // The types of `lazy` do not say that it has the props of what is loaded.
  const Part = lazy(() =>
    texts ? loadWithTexts(load, texts) : loadChunk(load),
  ) as unknown as ComponentType<P>;
  return (props: P) => (
    <Suspense fallback={fallback}>
      <Part {...props} />
    </Suspense>
  );
}
