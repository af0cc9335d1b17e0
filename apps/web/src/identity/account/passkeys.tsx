import { Button, Menu, Stack, Text, TextInput } from '@mantine/core';
import type { Passkey, SecondFactor } from '@reachout/contract/me.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, client } from '#web/platform/api.ts';
import {
  createPasskey,
  hasPasskeys,
  isPasskeyCancelled,
  isPasskeyKnown,
} from '#web/identity/auth/passkey.ts';
import { changes } from '#web/platform/query-client.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DataTable, type Column } from '#web/ui/data-table.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RowMenu } from '#web/ui/row-menu.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { Time } from '#web/ui/time.tsx';
import { readDevice } from './device-name.ts';
import { SavedCodes } from './saved-codes.tsx';

type Dialog = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey };

/** Lists the account's passkeys, with adding, renaming and removing. */
export function Passkeys({ factor }: { factor: SecondFactor }) {
  const { t } = useTranslation(['account', 'common']);
  const [dialog, setDialog] = useState<Dialog>();
  const remove = useMutation(
    api.me.removePasskey.mutationOptions({ onSuccess: () => notify(t('passkeys.removed')) }),
  );
  const close = () => setDialog(undefined);
  const columns: Column<Passkey>[] = [
    { header: t('passkeys.name'), cell: ({ name }) => name },
    { header: t('passkeys.added'), cell: ({ created_at }) => <Time at={created_at} as="date" /> },
    {
      header: t('passkeys.used'),
      cell: ({ last_used_at }) => (last_used_at === null ? t('common:none') : <Time at={last_used_at} />),
    },
  ];
  return (
    <SectionCard title={t('passkeys.title')} hint={t('passkeys.hint')}>
      <Stack gap="md" align="flex-start">
        {factor.passkeys.length > 0 && (
          <DataTable
            label={t('passkeys.title')}
            columns={columns}
            rows={factor.passkeys}
            rowActions={(passkey) => (
              <RowMenu name={passkey.name}>
                <Menu.Item onClick={() => setDialog({ kind: 'rename', passkey })}>
                  {t('common:actions.rename')}
                </Menu.Item>
                <Menu.Item c="var(--app-danger)" onClick={() => setDialog({ kind: 'remove', passkey })}>
                  {t('security.remove')}
                </Menu.Item>
              </RowMenu>
            )}
          />
        )}
        {hasPasskeys() ? (
          <Button variant="default" onClick={() => setDialog({ kind: 'add' })}>
            {t('passkeys.add')}
          </Button>
        ) : (
          <Text size="sm">{t('passkeys.unsupported')}</Text>
        )}
      </Stack>
      {dialog?.kind === 'add' && <Addition onClose={close} />}
      {dialog?.kind === 'rename' && <Renaming passkey={dialog.passkey} onClose={close} />}
      {dialog?.kind === 'remove' && (
        <ConfirmDialog
          title={t('passkeys.removeQuestion', { name: dialog.passkey.name })}
          confirmLabel={t('security.remove')}
          onClose={close}
          onConfirm={() => remove.mutateAsync({ id: dialog.passkey.id })}
        >
          <Text>{t('passkeys.removeEffect')}</Text>
        </ConfirmDialog>
      )}
    </SectionCard>
  );
}

function Addition({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
  const checkName = useNameCheck();
  const [codes, setCodes] = useState<readonly string[]>();
  // Each dialog does so for itself, but not the one that replaces it.
  useFocusBack();
  const add = useMutation({
    ...changes('me'),
    mutationFn: async (name: string) => {
      const { options } = await client.me.startPasskey();
      return await client.me.addPasskey({ name, credential: await createPasskey(options) });
    },
  });
  const form = useServerForm({
    initial: { name: readDevice(navigator.userAgent).system ?? '' },
    checks: { name: checkName },
    submit: async ({ name }) => {
      try {
        const { recovery_codes } = await add.mutateAsync(name.trim());
        notify(t('passkeys.wasAdded'));
        if (recovery_codes === null) onClose();
        else setCodes(recovery_codes);
      } catch (error) {
        if (isPasskeyKnown(error)) form.fields.setFieldError('name', t('passkeys.known'));
        else if (!isPasskeyCancelled(error)) throw error;
      }
    },
  });
  if (codes !== undefined) return <SavedCodes codes={codes} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title={t('passkeys.addTitle')}>
      <Stack gap="md">
        <Text>{t('passkeys.addBody')}</Text>
        <Form form={form} submitLabel={t('passkeys.add')} onCancel={onClose}>
          <TextInput
            data-autofocus
            label={t('passkeys.name')}
            description={t('passkeys.nameHint')}
            {...form.fields.getInputProps('name')}
          />
        </Form>
      </Stack>
    </Dialog>
  );
}

function Renaming({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const checkName = useNameCheck();
  const rename = useMutation(api.me.renamePasskey.mutationOptions());
  const form = useServerForm({
    initial: { name: passkey.name },
    checks: { name: checkName },
    submit: async ({ name }) => {
      await rename.mutateAsync({ id: passkey.id, name: name.trim() });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={t('passkeys.renameTitle')}>
      <Form form={form} submitLabel={t('common:actions.save')} onCancel={onClose}>
        <TextInput data-autofocus label={t('passkeys.name')} {...form.fields.getInputProps('name')} />
      </Form>
    </Dialog>
  );
}
