import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { SecondFactor } from '@reachout/contract/me.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '#web/platform/api.ts';
import { useFormat } from '#web/i18n/format.ts';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { Loading } from '#web/ui/skeletons.tsx';
import { notify } from '#web/ui/notify.tsx';
import { QrCode } from '#web/ui/qr-code.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { FactorCodeInput, useFactorCodeForm } from './factor-code.tsx';
import { SavedCodes } from './saved-codes.tsx';

/** Sets up the authenticator app, with QR code and recovery codes, and removes it. */
export function AuthenticatorApp({ factor }: { factor: SecondFactor }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const [dialog, setDialog] = useState<'setup' | 'removal'>();
  const start = useMutation(api.me.startTotp.mutationOptions({ onSuccess: () => setDialog('setup') }));
  const close = () => setDialog(undefined);
  const { totp } = factor;
  return (
    <SectionCard title={t('security.app')} hint={t('security.appHint')}>
      {totp === null ? (
        <Button variant="filled" loading={start.isPending} onClick={() => start.mutate(undefined)}>
          {t('security.setUp')}
        </Button>
      ) : (
        <Group gap="sm">
          <Text size="sm">{t('security.appSince', { date: format.date(totp.created_at) })}</Text>
          <Button onClick={() => setDialog('removal')}>{t('words.remove')}</Button>
        </Group>
      )}
      <ActionError error={start.error} />
      {dialog === 'setup' && <Setup secret={start.data} onClose={close} />}
      {dialog === 'removal' && <Removal onClose={close} />}
    </SectionCard>
  );
}

interface Secret {
  key: string | null;
  url: string | null;
}

function Setup({ secret, onClose }: { secret: Secret | undefined; onClose: () => void }) {
  const { t } = useTranslation('account');
  const [codes, setCodes] = useState<readonly string[]>();
  const confirm = useMutation(api.me.confirmTotp.mutationOptions());
  const form = useFactorCodeForm(async (code) => {
    const { recovery_codes } = await confirm.mutateAsync({ code });
    notify(t('security.appAdded'));
    if (recovery_codes === null) onClose();
    else setCodes(recovery_codes);
  });
  const { key, url } = secret ?? { key: null, url: null };
  if (codes !== undefined) return <SavedCodes codes={codes} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title={t('security.setUpTitle')} closeOnClickOutside={false}>
      {key === null || url === null ? (
        <Loading what={t('security.app')}>{null}</Loading>
      ) : (
        <Stack gap="md">
          <Text>{t('security.scan')}</Text>
          <Group justify="center">
            <QrCode text={url} label={t('security.qrCode')} />
          </Group>
          <Text size="sm">{t('security.typeKey')}</Text>
          <Group gap="xs">
            <Code className="break">{key.replaceAll(/.{4}(?=.)/g, '$& ')}</Code>
            <CopyTextButton size="xs" text={key} label={t('words.copyKey')} />
          </Group>
          <Form form={form} submitLabel={t('security.confirm')} onCancel={onClose}>
            <FactorCodeInput form={form} label={t('security.code')} />
          </Form>
        </Stack>
      )}
    </Dialog>
  );
}

function Removal({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const remove = useMutation(api.me.removeTotp.mutationOptions());
  const form = useFactorCodeForm(async (code) => {
    await remove.mutateAsync({ code });
    notify(t('security.appRemoved'));
    onClose();
  });
  return (
    <Dialog onClose={onClose} title={t('security.removeTitle')}>
      <Stack gap="md">
        <Text>{t('security.removeEffect')}</Text>
        <Form form={form} submitLabel={t('words.remove')} onCancel={onClose}>
          <FactorCodeInput form={form} label={t('security.anyCode')} />
        </Form>
      </Stack>
    </Dialog>
  );
}
