import { useEffect, useState } from 'react';

/**
 * For dialogs that are mounted to be opened: once they are closed, the keyboard continues where it was before. The
 * library only gives the focus back to what was there when a mounted dialog opened.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    },
    [before],
  );
}
