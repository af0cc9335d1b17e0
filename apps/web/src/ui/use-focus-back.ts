import { useEffect, useState } from 'react';

/**
 * For dialogs that are mounted to be opened: returns the focus to the previously focused element when they are closed. The
 * library only does so for dialogs that are mounted before they are opened.
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
