import { Button, Group, Stack } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormErrors } from './form-errors.tsx';
import { ActionError } from './states.tsx';
import type { ServerForm, Values } from './use-server-form.ts';

export interface FormProps<V extends Values> {
  form: ServerForm<V>;
  children: ReactNode;
  submitLabel: string;
  onCancel?: () => void;
  /** Label of the cancel button if nothing is cancelled. */
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
        <FormErrors form={form} />
        {children}
        <ActionError error={form.error} title={t('error.saveFailed')} />
        <Group justify={fullWidth ? 'stretch' : 'flex-end'} mt="xs">
          {onCancel && (
            <Button onMouseDown={keepFocus} onClick={onCancel}>
              {cancelLabel ?? t('actions.cancel')}
            </Button>
          )}
          <Button
            variant="filled"
            type="submit"
            loading={form.pending}
            fullWidth={fullWidth}
            onMouseDown={keepFocus}
          >
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Tags inputs add the text being typed on blur. */
export const tagsInput = '.mantine-TagsInput-wrapper';

/**
 * Keeps the focus on mouse down: a blur may show an error, which would move the button away from under the pointer. Tags
 * inputs, however, need the blur.
 */
const keepFocus = (event: MouseEvent): void => {
  if (!document.activeElement?.closest(tagsInput)) event.preventDefault();
};
