import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormErrors } from './form-errors.tsx';
import { SaveBar } from './save-bar.tsx';
import { ActionError } from './states.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import type { ServerForm, Values } from './use-server-form.ts';

interface Props<V extends Values> {
  form: ServerForm<V>;
  /** Number of values that differ from the stored ones, if it is not one per field. */
  changes?: number;
  children: ReactNode;
}

/** A form on the page itself, saved with the bar that appears once something has changed. */
export function SaveBarForm<V extends Values>({ form, changes = form.changes, children }: Props<V>) {
  const { t } = useTranslation();
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <UnsavedGuard dirty={changes > 0} saving={form.pending} onSave={form.save} />
      <Stack gap="md">
        <FormErrors form={form} />
        {children}
        <ActionError error={form.error} title={t('error.saveFailed')} />
      </Stack>
      <SaveBar
        changes={changes}
        saving={form.pending}
        savedAt={form.savedAt}
        onSave={() => void form.save()}
        onDiscard={form.fields.reset}
      />
    </form>
  );
}
