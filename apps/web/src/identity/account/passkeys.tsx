import { Button, Stack, Text } from '@mantine/core';
import { recordLists } from '@reachout/contract/record-lists.ts';
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
import { timeColumn } from '#web/identity/lists/columns.tsx';
import { RecordTable } from '#web/identity/lists/record-table.tsx';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { changes } from '#web/platform/query-client.ts';
import type { Column } from '#web/ui/data-table.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { useFocusBack } from '#web/ui/use-focus-back.ts';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { readDevice } from './device-name.ts';
import { SavedCodes } from './saved-codes.tsx';

/** Lists the account's passkeys, with adding, renaming and removing. */
export function Passkeys({ factor }: { factor: SecondFactor }) {
  const { t } = useTranslation(['account', 'common']);
  const [isAdding, setAdding] = useState(false);
  const columns: Column<Passkey>[] = [
    { header: t('form.name'), cell: ({ name }) => name },
    timeColumn('added', t('words.added'), ({ created_at }) => created_at, { as: 'date' }),
    timeColumn('used', t('words.lastUsed'), ({ last_used_at }) => last_used_at),
  ];
  return (
    <SectionCard title={t('passkeys.title')} hint={t('passkeys.hint')}>
      <Stack gap="md" align="flex-start">
        {factor.passkeys.length > 0 && (
          <RecordTable
            records={recordLists.passkeys}
            label={t('passkeys.title')}
            columns={columns}
            rows={factor.passkeys}
            nameOf={({ name }) => name}
            shown={{
              rename: { open: (passkey, close) => <Renaming passkey={passkey} onClose={close} /> },
              remove: {
                label: t('words.remove'),
                isDestructive: true,
                question: ({ name }) => ({
                  title: t('passkeys.removeQuestion', { name }),
                  body: t('passkeys.removeEffect'),
                }),
                done: t('passkeys.removed'),
              },
            }}
          />
        )}
        {hasPasskeys() ? (
          <Button onClick={() => setAdding(true)}>{t('passkeys.add')}</Button>
        ) : (
          <Text size="sm">{t('passkeys.unsupported')}</Text>
        )}
      </Stack>
      {isAdding && <Addition onClose={() => setAdding(false)} />}
    </SectionCard>
  );
}

function Addition({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account');
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
  const form = useRecordForm(boundsOf('me.addPasskey'), {
    fields: {
      name: {
        label: t('form.name'),
        hint: t('passkeys.nameHint'),
        initial: readDevice(navigator.userAgent).system,
      },
    },
    save: async ({ name }) => {
      try {
        const { recovery_codes } = await add.mutateAsync(name);
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
    <Dialog onClose={onClose} title={t('passkeys.add')}>
      <Stack gap="md">
        <Text>{t('passkeys.addBody')}</Text>
        <Form form={form} submitLabel={t('passkeys.add')} onCancel={onClose}>
          <RecordFields form={form} isFocused />
        </Form>
      </Stack>
    </Dialog>
  );
}

function Renaming({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const rename = useMutation(api.me.renamePasskey.mutationOptions());
  const form = useRecordForm(boundsOf('me.renamePasskey'), {
    record: passkey,
    fields: { name: { label: t('form.name') } },
    save: ({ name }) => rename.mutateAsync({ id: passkey.id, name }),
    onClose,
  });
  return (
    <Dialog onClose={onClose} title={t('passkeys.renameTitle')}>
      <Form form={form} submitLabel={t('common:actions.save')} onCancel={onClose}>
        <RecordFields form={form} isFocused />
      </Form>
    </Dialog>
  );
}
