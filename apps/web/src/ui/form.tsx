import { Alert, Anchor, Button, Group, List, Stack } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionError } from './states.tsx';
import { focusFirst, type ServerForm, type Values } from './use-server-form.ts';

/** From three errors on, a list that leads to each. */
function ErrorSummary<V extends Values>({ form }: { form: ServerForm<V> }) {
  const { t } = useTranslation();
  const errors = Object.entries(form.fields.errors);
  if (errors.length < 3) return null;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} stroke={1.75} />}
      title={t('form.problems', { count: errors.length })}
    >
      <List size="sm">
        {errors.map(([path, message]) => (
          <List.Item key={path}>
            <Anchor component="button" type="button" onClick={() => focusFirst(form.fields, [path])}>
              {message}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

export interface FormProps<V extends Values> {
  form: ServerForm<V>;
  children: ReactNode;
  submitLabel: string;
  onCancel?: () => void;
  /** What the way out is called where nothing is cancelled. */
  cancelLabel?: string;
  fullWidth?: boolean;
}

export function Form<V extends Values>({
  form,
  children,
  submitLabel,
  onCancel,
  cancelLabel,
  fullWidth = false,
}: FormProps<V>) {
  const { t } = useTranslation();
  useHotkeys([['mod+Enter', () => form.onSubmit()]], []);
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <Stack gap="md">
        <ErrorSummary form={form} />
        {children}
        <ActionError error={form.error} title={t('error.saveFailed')} />
        <Group justify={fullWidth ? 'stretch' : 'flex-end'} mt="xs">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {cancelLabel ?? t('actions.cancel')}
            </Button>
          )}
          <Button
            type="submit"
            loading={form.pending}
            fullWidth={fullWidth}
            // Leaving a field may show an error there, which would move the button away from under the pointer. Lists of
            // tags, however, take what was typed when they are left.
            onMouseDown={(event) => {
              if (!document.activeElement?.closest('.mantine-TagsInput-wrapper')) event.preventDefault();
            }}
          >
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
