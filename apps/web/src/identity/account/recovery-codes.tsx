import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { SecondFactor } from '@reachout/contract/me.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { Form } from '#web/ui/form.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { FactorCodeInput, useFactorCodeForm } from './factor-code.tsx';
import { SavedCodes } from './saved-codes.tsx';

/** How many are left, and new ones in their place. */
export function RecoveryCodes({ factor }: { factor: SecondFactor }) {
  const { t } = useTranslation('account');
  const [isRenewing, setIsRenewing] = useState(false);
  return (
    <SectionCard title={t('security.codes')} hint={t('security.codesHint')}>
      <Group gap="sm">
        <Text size="sm">{t('security.codesLeft', { count: factor.recovery_codes_left })}</Text>
        <Button variant="default" onClick={() => setIsRenewing(true)}>
          {t('security.renew')}
        </Button>
      </Group>
      {isRenewing && <Renewal onClose={() => setIsRenewing(false)} />}
    </SectionCard>
  );
}

function Renewal({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const [codes, setCodes] = useState<readonly string[]>();
  useFocusBack();
  const renew = useMutation(api.me.renewRecoveryCodes.mutationOptions());
  const form = useFactorCodeForm(async (code) => {
    const { recovery_codes } = await renew.mutateAsync({ code });
    setCodes(recovery_codes ?? []);
  });
  if (codes !== undefined) return <SavedCodes codes={codes} onClose={onClose} />;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.renewTitle')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Stack gap="md">
        <Text>{t('security.renewEffect')}</Text>
        <Form form={form} submitLabel={t('security.renew')} onCancel={onClose}>
          <FactorCodeInput form={form} label={t('security.anyCode')} />
        </Form>
      </Stack>
    </Modal>
  );
}
