import { Button, Stack, Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '../platform/links.tsx';
import { checked } from '../platform/list-search.ts';
import { isProblem } from '../platform/problem.ts';
import { queryClient } from '../platform/query-client.ts';
import { confirmEmail } from '../session/auth-calls.ts';
import { AuthFrame } from '../session/auth-frame.tsx';
import { readToken } from '../session/read-token.ts';
import { ActionError } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';

export const Route = createFileRoute('/change-email')({
  validateSearch: checked(readToken),
  component: ChangeEmail,
});

/** Changes nothing by being opened: programs that look at mails open links, too. */
function ChangeEmail() {
  const { t } = useTranslation('session');
  const { token } = Route.useSearch();
  const action = useAction();
  const [expired, setExpired] = useState(token === '');
  const [changedTo, setChangedTo] = useState<string>();
  const confirm = () =>
    action.run(async () => {
      try {
        setChangedTo(await confirmEmail(token));
        await queryClient.invalidateQueries();
      } catch (error) {
        if (!isProblem(error, 410)) throw error;
        setExpired(true);
      }
    });
  if (changedTo !== undefined) {
    return (
      <AuthFrame title={t('changeEmail.done')}>
        <Stack gap="md">
          <Text role="status" className="break">
            {t('changeEmail.doneBody', { email: changedTo })}
          </Text>
          <LinkButton to="/">{t('goOn')}</LinkButton>
        </Stack>
      </AuthFrame>
    );
  }
  if (expired) {
    return (
      <AuthFrame title={t('expired.title')}>
        <Stack gap="md">
          <Text>{t('expired.changeEmail')}</Text>
          <LinkButton to="/me/profile">{t('expired.toProfile')}</LinkButton>
        </Stack>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t('changeEmail.title')}>
      <Stack gap="md">
        <Text>{t('changeEmail.body')}</Text>
        <Button loading={action.pending} onClick={() => void confirm()}>
          {t('changeEmail.submit')}
        </Button>
        <ActionError error={action.error} />
      </Stack>
    </AuthFrame>
  );
}
