import { useEffect, useEffectEvent, useRef } from 'react';

/** Runs `work` when `when` first becomes true after having been false: the moment something ended while watched. */
export function useOnce(when: boolean, work: () => void): void {
  const sawFalse = useRef(!when);
  const done = useRef(false);
  const run = useEffectEvent(work);
  useEffect(() => {
    if (!when) sawFalse.current = true;
    else if (sawFalse.current && !done.current) {
      done.current = true;
      run();
    }
  }, [when]);
}
