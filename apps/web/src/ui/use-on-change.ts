import { useEffect, useEffectEvent, useRef } from 'react';

/** Runs `work` when `value` changes while it is watched; what it was at first, or before it was known, does not count. */
export function useOnChange(value: string | boolean | undefined, work: () => void): void {
  const before = useRef(value);
  const run = useEffectEvent(work);
  useEffect(() => {
    const changed = before.current !== undefined && value !== undefined && before.current !== value;
    before.current = value;
    if (changed) run();
  }, [value]);
}
