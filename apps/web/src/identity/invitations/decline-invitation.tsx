import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { isProblem } from '#web/platform/problem.ts';
import { refresh } from '#web/platform/query-client.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** Works without an account. */
export function DeclineInvitation({ token }: { token: string }) {
  const { t } = useTranslation('invitations');
  const [asking, setAsking] = useState(false);
  const decline = async () => {
    try {
      await client.invitations.decline({ token });
    } catch (error) {
      if (!isProblem(error) || error.code !== 'not_pending') throw error;
    }
    await refresh('me');
  };
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('words.decline')}</Button>
      {asking && (
        <ConfirmDialog
          title={t('declineTitle')}
          text={t('declineBody')}
          confirmLabel={t('words.decline')}
          cancelLabel={t('words.notNow')}
          isDestructive={false}
          onClose={() => setAsking(false)}
          onConfirm={decline}
        />
      )}
    </>
  );
}
