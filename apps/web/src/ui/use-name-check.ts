import { boundsOf } from '#web/platform/bounds-of.ts';
import { useFieldCheck } from './use-field-check.ts';

/** @returns the check of a name, all of which have the same bounds, for a form that is written by hand */
export function useNameCheck(): (value: string) => string | null {
  const check = useFieldCheck();
  return (value) => check(value, boundsOf('clients.update').name);
}
