import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';

/** How long typing must pause before what it asks for is done. */
const debounceMs = 500;

/** @returns the value, once it has stayed the same for `debounceMs` */
export const useSettled = <T>(value: T): T => useDebouncedValue(value, debounceMs)[0];

/** Calls the function once nothing has called it for `debounceMs`; what is still due is dropped with the component, or done at once. */
export const useDebounced = <Args extends unknown[]>(
  callback: (...args: Args) => unknown,
  { flushOnUnmount = false } = {},
) => useDebouncedCallback(callback, { delay: debounceMs, flushOnUnmount });
