import { Paper, Title } from '@mantine/core';
import type { User } from '@reachout/contract/me.ts';
import { useTranslation } from 'react-i18next';
import { PasswordLink } from './password-link.tsx';

/** For people who only ever signed in by code or through a provider. */
export function SetPassword({ user }: { user: User }) {
  const { t } = useTranslation('account');
  return (
    <Paper withBorder p="md" radius="md" maw={640}>
      <Title order={2} size="h3" mb="xs">
        {t('password.none')}
      </Title>
      <PasswordLink email={user.email} text={t('password.noneBody', { email: user.email })} />
    </Paper>
  );
}
