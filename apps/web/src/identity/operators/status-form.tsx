import { Radio, Stack, Textarea } from '@mantine/core';
import { maxReasonLength } from '@reachout/contract/rules/lengths.ts';
import { useTranslation } from 'react-i18next';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';

/** A reason for those concerned, unless the status is active. */
export interface StatusChange<S extends string> {
  status: S;
  reason?: string;
}

interface Props<S extends string> {
  name: string;
  status: S;
  reason: string | null;
  /** Each status with what it means. */
  choices: readonly { value: S; hint: string }[];
  onSave: (change: StatusChange<S>) => Promise<unknown>;
  onClose: () => void;
}

/**
 * Sets the status of an organization or a user; those concerned get the reason. By hand: an active one has no reason, so that
 * the input is one of two shapes.
 */
export function StatusForm<S extends string>({ name, status, reason, choices, onSave, onClose }: Props<S>) {
  const { t } = useTranslation(['operator', 'common']);
  const form = useServerForm({
    initial: { status, reason: reason ?? '' },
    checks: {
      reason: (value: string, values: { status: string }) =>
        values.status !== 'active' && value.trim() === '' ? t('reasonNeeded') : null,
    },
    limits: { reason: maxReasonLength },
    submit: async (values) => {
      const next = values.status;
      await onSave(next === 'active' ? { status: next } : { status: next, reason: values.reason });
      notify(t('changed'));
      onClose();
    },
  });
  const chosen = form.fields.getValues().status;
  return (
    <FormDrawer isSmall onClose={onClose} title={name} form={form} submitLabel={t('change')}>
      <Radio.Group label={t('words.status')} {...form.fields.getInputProps('status')}>
        <Stack gap="sm" mt="xs">
          {choices.map(({ value, hint }) => (
            <Radio
              key={value}
              value={value}
              label={t(`common:status.${value}` as 'common:status.active')}
              description={hint}
            />
          ))}
        </Stack>
      </Radio.Group>
      {chosen !== 'active' && (
        <Textarea
          label={t('words.reason')}
          description={t('reasonHint')}
          minRows={2}
          {...form.fields.getInputProps('reason')}
        />
      )}
    </FormDrawer>
  );
}
