import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerForm, Values } from './use-server-form.ts';
import classes from './save-bar.module.css';
import { ActionError } from './states.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

interface Props<V extends Values> {
  form: ServerForm<V>;
  /** How many values differ from what is stored; the bar at the bottom edge shows from one on. */
  changes: number;
  children: ReactNode;
}

/** A form on the page itself, saved with the bar that appears once something differs. */
export function SaveBarForm<V extends Values>({ form, changes, children }: Props<V>) {
  const { t } = useTranslation();
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <UnsavedGuard dirty={changes > 0} saving={form.pending} onSave={form.save} />
      <Stack gap="md">
        {children}
        <ActionError error={form.error} title={t('error.saveFailed')} />
      </Stack>
      {changes > 0 && (
        <div className={classes.bar} role="region" aria-label={t('form.unsaved', { count: changes })}>
          <Text role="status" fw={500} className={classes.count}>
            {t('form.unsaved', { count: changes })}
          </Text>
          <Button variant="default" onClick={form.fields.reset}>
            {t('actions.discard')}
          </Button>
          <Button loading={form.pending} onClick={() => void form.save()}>
            {t('actions.save')}
          </Button>
        </div>
      )}
    </form>
  );
}
