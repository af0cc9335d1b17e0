import { useMergedRef } from '@mantine/hooks';
import type { TooltipProps } from '@mantine/core';
import { cloneElement, useEffect, useState, type ReactElement, type Ref } from 'react';
import { lazyPart } from '#web/platform/lazy-part.tsx';

const TooltipBubble = lazyPart(() => import('./tooltip-bubble.tsx'));

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
        <TooltipBubble {...looks} target={target} opened={isShown} />
      )}
    </>
  );
}

/** Only for mouse and keyboard: touching a button means pressing it. */
function watch(target: HTMLElement, setShown: (isShown: boolean) => void) {
  const listeners = new AbortController();
  const { signal } = listeners;
  let timer: number | undefined;
  let isShown = false;
  const show = () => {
    isShown = true;
    setShown(true);
  };
  /** @returns whether it was shown */
  const hide = (): boolean => {
    window.clearTimeout(timer);
    if (!isShown) return false;
    isShown = false;
    setShown(false);
    return true;
  };
  const onEnter = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') timer = window.setTimeout(show, openDelayMs);
  };
  target.addEventListener('pointerenter', onEnter, { signal });
  target.addEventListener('pointerleave', hide, { signal });
  target.addEventListener('focus', () => target.matches(':focus-visible') && show(), { signal });
  target.addEventListener('blur', hide, { signal });
  // The key then does nothing else.
  target.addEventListener('keydown', (event) => event.key === 'Escape' && hide() && event.preventDefault(), {
    signal,
  });
  return () => {
    hide();
    listeners.abort();
  };
}
