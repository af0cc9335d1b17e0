import { Alert, Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isProblem } from '#web/platform/problem.ts';
import { ActionError } from '#web/ui/states.tsx';
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
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={18} stroke={1.75} aria-hidden />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t('passkey.use')}
      </Button>
      <WaitNotice wait={wait} />
      {isProblem(error, 401) && (
        <Alert color="red" variant="light" role="alert">
          {t('passkey.unknown')}
        </Alert>
      )}
      {!isProblem(error, 401) && !isPasskeyCancelled(error) && <ActionError error={error} />}
    </>
  );
}
