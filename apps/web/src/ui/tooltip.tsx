import { useMergedRef } from '@mantine/hooks';
import type { TooltipProps } from '@mantine/core';
import { cloneElement, lazy, Suspense, useEffect, useState, type ReactElement, type Ref } from 'react';
import { loadChunk } from '#web/platform/lazy-chunks.ts';

const TooltipBubble = lazy(() => loadChunk(() => import('./tooltip-bubble.tsx')));

interface Props extends Pick<TooltipProps, 'label' | 'position' | 'multiline' | 'maw' | 'classNames'> {
  children: ReactElement<{ ref?: Ref<HTMLElement> }>;
}

/** Same value as in the theme, for the tooltips of the library. */
const openDelayMs = 300;

/** A tooltip whose code is loaded when it is first shown: that of the library would make the first load a fifth larger. */
export function Tooltip({ children, ...looks }: Props) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  /** Undefined before it is first requested. */
  const [isShown, setShown] = useState<boolean>();
  useEffect(() => (target === null ? undefined : watch(target, setShown)), [target]);
  const ref = useMergedRef(setTarget, children.props.ref);
  return (
    <>
      {cloneElement(children, { ref })}
      {target !== null && isShown !== undefined && (
        <Suspense fallback={null}>
          <TooltipBubble {...looks} target={target} opened={isShown} />
        </Suspense>
      )}
    </>
  );
}

/** Only for mouse and keyboard: touching a button means pressing it. */
function watch(target: HTMLElement, setShown: (change: (old?: boolean) => boolean | undefined) => void) {
  const listeners = new AbortController();
  const { signal } = listeners;
  let timer: number | undefined;
  const show = () => setShown(() => true);
  const hide = () => {
    window.clearTimeout(timer);
    setShown((old) => (old === undefined ? undefined : false));
  };
  const onEnter = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') timer = window.setTimeout(show, openDelayMs);
  };
  target.addEventListener('pointerenter', onEnter, { signal });
  target.addEventListener('pointerleave', hide, { signal });
  target.addEventListener('focus', () => target.matches(':focus-visible') && show(), { signal });
  target.addEventListener('blur', hide, { signal });
  target.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), { signal });
  return () => {
    window.clearTimeout(timer);
    listeners.abort();
  };
}
