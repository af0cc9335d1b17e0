import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SignInReason } from '#web/platform/sign-in-needed.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ActionError, Refusal } from '#web/ui/states.tsx';
import { isProblem } from '#web/platform/problem.ts';
import { requestCode, type SignInStep } from './auth-calls.ts';
import { CodeForm } from './code-form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { post } from './endpoints.ts';
import { SecondFactorForm } from './second-factor-form.tsx';
import { endSession, refreshSession, type SessionUser } from './session.ts';
import { tellTabs } from './tabs.ts';
import { useWait, WaitNotice } from './wait-notice.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';

// The form is written by hand: signing in is no operation of the contract.

interface Props {
  reason: SignInReason;
  user: SessionUser;
  onSignedIn: (userId: string) => void;
  onClose: () => void;
}

/** Signs the same user in again in a dialog, so that unsaved work on the page is kept. */
export default function ReSignInDialog({ reason, user, onSignedIn, onClose }: Props) {
  const { t } = useTranslation(['auth', 'common']);
  const [byCode, setByCode] = useState(false);
  const [isSecondStep, setIsSecondStep] = useState(false);
  const wait = useWait();

  const finish = async () => {
    const now = await refreshSession();
    if (!now) return;
    // Other tabs may be asking, too.
    tellTabs({ kind: 'signed_in', userId: now.id });
    onSignedIn(now.id);
  };
  const goOn = async ({ status }: { status: SignInStep }) => {
    if (status === 'second_factor_needed') setIsSecondStep(true);
    else await finish();
  };
  const action = useMutation({
    mutationFn: async () => {
      if (await wait.run(() => requestCode(user.email))) setByCode(true);
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={t(reason === 'sign_in_again' ? 'again.confirmTitle' : 'again.title')}
      closeOnClickOutside={false}
      // Above the drawers and dialogs with unsaved work.
      zIndex={350}
    >
      <Stack gap="md">
        <Text>{t(reason === 'sign_in_again' ? 'again.confirmBody' : 'again.body')}</Text>
        <Text>
          {t('again.as')} <strong className="break">{user.email}</strong>
        </Text>
        {isSecondStep && <SecondFactorForm onSignedIn={() => void finish()} />}
        {!isSecondStep && byCode && (
          <CodeForm
            email={user.email}
            onCode={async (code) => goOn(await post('sign-in/code/verify', { code }))}
          />
        )}
        {!isSecondStep && !byCode && <PasswordForm email={user.email} onDone={goOn} />}
        <WaitNotice wait={wait} />
        <ActionError error={action.error} />
        {!isSecondStep && <PasskeyButton onSignedIn={() => void finish()} />}
        <Group gap="xs">
          {byCode || isSecondStep ? (
            <Button
              onClick={() => {
                setByCode(false);
                setIsSecondStep(false);
              }}
            >
              {t('again.withPassword')}
            </Button>
          ) : (
            <Button loading={action.isPending} onClick={() => action.mutate()}>
              {t('code.send')}
            </Button>
          )}
          <Button variant="subtle" onClick={endSession}>
            {t('again.otherAccount')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function PasswordForm({
  email,
  onDone,
}: {
  email: string;
  onDone: (response: { status: SignInStep }) => Promise<void>;
}) {
  const { t } = useTranslation(['auth', 'common']);
  const [failed, setFailed] = useState(false);
  const wait = useWait();
  const form = useServerForm({
    initial: { password: '' },
    checks: { password: (value) => (value === '' ? t('common:form.required') : null) },
    submit: async ({ password }) => {
      setFailed(false);
      let response: { status: SignInStep } = { status: 'signed_in' };
      try {
        const isDone = await wait.run(async () => {
          response = await post('sign-in/email', { email, password });
        });
        if (!isDone) return;
      } catch (error) {
        if (!isProblem(error, 401)) throw error;
        setFailed(true);
        form.fields.getInputNode('password')?.focus();
        return;
      }
      await onDone(response);
    },
  });
  return (
    <Form form={form} submitLabel={t('signIn.title')} fullWidth>
      <Refusal>{failed && t('again.failed')}</Refusal>
      <WaitNotice wait={wait} />
      {/* For password managers, to identify the account. */}
      <input type="text" hidden readOnly autoComplete="username" value={email} />
      <PasswordInput
        data-autofocus
        autoComplete="current-password"
        label={t('password')}
        {...form.fields.getInputProps('password')}
      />
    </Form>
  );
}
