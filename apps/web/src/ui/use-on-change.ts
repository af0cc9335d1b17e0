import { useEffect, useEffectEvent, useRef } from 'react';

/** Runs `work` when `value` changes after mounting; the change from undefined to a first value does not count. */
export function useOnChange(value: string | boolean | undefined, work: () => void): void {
  const before = useRef(value);
  const run = useEffectEvent(work);
  useEffect(() => {
    const changed = before.current !== undefined && value !== undefined && before.current !== value;
    before.current = value;
    if (changed) run();
  }, [value]);
}
