import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/problem.ts';
import { ActionError, Refusal } from '#web/ui/states.tsx';
import { signInByPasskey } from './auth-calls.ts';
import { hasPasskeys, isPasskeyCancelled } from './passkey.ts';
import { useWait, WaitNotice } from './wait-notice.tsx';

/** Signs in with only a passkey. Hidden if the browser does not support passkeys. */
export function PasskeyButton({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation('auth');
  const wait = useWait();
  const signIn = useMutation({
    mutationFn: () => wait.run(signInByPasskey),
    onSuccess: (isDone) => {
      if (isDone) onSignedIn();
    },
  });
  if (!hasPasskeys()) return null;
  const { error } = signIn;
  return (
    <>
      <Button
        fullWidth
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t('passkey.use')}
      </Button>
      <WaitNotice wait={wait} />
      <Refusal>{isProblem(error, 401) && t('passkey.unknown')}</Refusal>
      {!isProblem(error, 401) && !isPasskeyCancelled(error) && <ActionError error={error} />}
    </>
  );
}
