import { Button, Group, Stack, Text } from '@mantine/core';
import type { SecondFactor } from '@reachout/contract/me.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { FactorCodeInput, useFactorCodeForm } from './factor-code.tsx';
import { SavedCodes } from './saved-codes.tsx';

/** Shows the number of remaining codes and replaces them with new ones. */
export function RecoveryCodes({ factor }: { factor: SecondFactor }) {
  const { t } = useTranslation('account');
  const [isRenewing, setIsRenewing] = useState(false);
  return (
    <SectionCard title={t('security.codes')} hint={t('security.codesHint')}>
      <Group gap="sm">
        <Text size="sm">{t('security.codesLeft', { count: factor.recovery_codes_left })}</Text>
        <Button onClick={() => setIsRenewing(true)}>{t('security.renew')}</Button>
      </Group>
      {isRenewing && <Renewal hasApp={factor.totp !== null} onClose={() => setIsRenewing(false)} />}
    </SectionCard>
  );
}

/** @param props.hasApp  if false, no code is requested and the recent sign-in is sufficient */
function Renewal({ hasApp, onClose }: { hasApp: boolean; onClose: () => void }) {
  const { t } = useTranslation('account');
  const [codes, setCodes] = useState<readonly string[]>();
  // Each dialog does so for itself, but not the one that replaces it.
  useFocusBack();
  const renew = useMutation(api.me.renewRecoveryCodes.mutationOptions());
  const submit = async (given: { code?: string }) => {
    const { recovery_codes } = await renew.mutateAsync(given);
    setCodes(recovery_codes ?? []);
  };
  const form = useFactorCodeForm((code) => submit({ code }));
  if (codes !== undefined) return <SavedCodes codes={codes} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title={t('security.renewTitle')}>
      <Stack gap="md">
        <Text>{t('security.renewEffect')}</Text>
        {hasApp ? (
          <Form form={form} submitLabel={t('security.renew')} onCancel={onClose}>
            <FactorCodeInput form={form} label={t('security.anyCode')} />
          </Form>
        ) : (
          <Group justify="flex-end">
            <Button
              variant="filled"
              data-autofocus
              loading={renew.isPending}
              onClick={() => void submit({}).catch(() => {})}
            >
              {t('security.renew')}
            </Button>
          </Group>
        )}
        {!hasApp && <ActionError error={renew.error} />}
      </Stack>
    </Dialog>
  );
}
