import { lazy, Suspense } from 'react';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import type { ServerForm, Values } from './use-server-form.ts';

/** Few ever see it: it is not part of the first load. */
const ErrorSummary = lazy(() => loadChunk(() => import('./error-summary.tsx')));

/** With fewer, all of them are in sight. */
const leastErrors = 3;

/** From three errors on, a list in the order of the fields. */
export function FormErrors<V extends Values>({ form: { fields, rejected } }: { form: ServerForm<V> }) {
  const shown = rejected.filter(({ path }) => fields.errors[path] !== undefined);
  if (shown.length < leastErrors) return null;
  return (
    <Suspense fallback={null}>
      <ErrorSummary fields={fields} shown={shown} />
    </Suspense>
  );
}
