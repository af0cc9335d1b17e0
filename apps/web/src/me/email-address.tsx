import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../api.ts';
import { CheckInbox } from '../session/check-inbox.tsx';
import { useWait, WaitNotice } from '../session/wait-notice.tsx';
import { isEmail } from '../ui/checks.ts';
import { Form, useServerForm } from '../ui/form.tsx';
import { useFocusBack } from '../ui/use-focus-back.ts';

/** The address somebody signs in with; a new one counts once its inbox was opened. */
export function EmailAddress({ email }: { email: string }) {
  const { t } = useTranslation('me');
  const [changing, setChanging] = useState(false);
  return (
    <div>
      <Text fw={500} size="sm" mb={4}>
        {t('profile.email')}
      </Text>
      <Group gap="sm">
        <Text className="break">{email}</Text>
        <Button
          size="xs"
          variant="default"
          aria-label={t('email.changeLabel')}
          onClick={() => setChanging(true)}
        >
          {t('email.change')}
        </Button>
      </Group>
      {changing && <ChangeEmail email={email} onClose={() => setChanging(false)} />}
    </div>
  );
}

function ChangeEmail({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation(['me', 'common']);
  const [sentTo, setSentTo] = useState<string>();
  const wait = useWait();
  useFocusBack();
  const form = useServerForm({
    initial: { email: '' },
    checks: {
      email: (value) => {
        if (value.trim().toLowerCase() === email.toLowerCase()) return t('email.same');
        return isEmail(value) ? null : t('common:form.email');
      },
    },
    submit: async (values) => {
      const wanted = values.email.trim();
      if (await wait.run(() => client.me.changeEmail({ email: wanted }))) setSentTo(wanted);
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('email.title')}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      {sentTo === undefined ? (
        <Form form={form} submitLabel={t('email.submit')} onCancel={onClose}>
          <Text>{t('email.body')}</Text>
          <WaitNotice wait={wait} />
          <TextInput
            data-autofocus
            type="email"
            autoComplete="email"
            label={t('email.new')}
            {...form.fields.getInputProps('email')}
          />
        </Form>
      ) : (
        <Stack gap="md">
          <CheckInbox>{t('email.sent', { email: sentTo })}</CheckInbox>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('common:actions.close')}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
