import { Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { signUpByInvitation, type MailedInvitation } from '#web/identity/auth/invited.ts';
import { NewPasswordInput, useNewPasswordCheck } from '#web/identity/auth/new-password-input.tsx';
import { useWait, WaitNotice } from '#web/identity/auth/wait-notice.tsx';
import { isProblem } from '#web/platform/problem.ts';
import { refresh } from '#web/platform/query-client.ts';
import { Form } from '#web/ui/form.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';

interface Props {
  link: MailedInvitation;
  /** The invited address, which the link proves. */
  email: string;
  organization: string;
  /** Called if the address has got an account meanwhile. */
  onRejected: () => void;
  onJoined: (orgId: string) => void;
}

/** Asks for name and password, then joins: what the email has proven is not asked for again. */
export function JoinForm({ link, email, organization, onRejected, onJoined }: Props) {
  const { t } = useTranslation(['invitations', 'auth']);
  const checkName = useNameCheck();
  const checkPassword = useNewPasswordCheck();
  const wait = useWait();
  const form = useServerForm({
    initial: { name: '', password: '' },
    checks: { name: checkName, password: checkPassword },
    rejected: { password: t('auth:passwordTooCommon') },
    submit: async ({ name, password }) => {
      try {
        const input = { ...link, name: name.trim(), password };
        await wait.run(async () => onJoined(await signUpByInvitation(input)));
      } catch (error) {
        if (isProblem(error) && error.code === 'account_exists') onRejected();
        // The page then shows why it can no longer be accepted.
        else if (isProblem(error, 410) || isProblem(error, 409)) await refresh('me');
        throw error;
      }
    },
  });
  return (
    <Form form={form} submitLabel={t('joinNamed', { organization })} fullWidth>
      <Text className="break">{t('joinAs', { email })}</Text>
      <WaitNotice wait={wait} />
      {/* For password managers, to identify the account. */}
      <input type="text" hidden readOnly autoComplete="username" value={email} />
      <TextInput
        autoComplete="name"
        label={t('auth:name')}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is there for this one thing
        autoFocus
        {...form.fields.getInputProps('name')}
      />
      <NewPasswordInput
        label={t('auth:password')}
        known={[form.fields.values.name, email]}
        {...form.fields.getInputProps('password')}
      />
    </Form>
  );
}
