import { lazyPart } from '#web/platform/lazy-part.tsx';
import type { ServerForm, Values } from './use-server-form.ts';

/** Rarely needed, so it is not part of the first load. */
const ErrorSummary = lazyPart(() => import('./error-summary.tsx'));

/** With fewer errors, all of them are in view. */
const leastErrors = 3;

/** A list of errors in the order of the fields, shown for three or more. */
export function FormErrors<V extends Values>({ form: { fields, rejected } }: { form: ServerForm<V> }) {
  const shown = rejected.filter(({ path }) => fields.errors[path] !== undefined);
  if (shown.length < leastErrors) return null;
  return <ErrorSummary fields={fields} shown={shown} />;
}
