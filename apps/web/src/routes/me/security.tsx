import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AuthenticatorApp } from '#web/identity/account/authenticator-app.tsx';
import { MePage } from '#web/identity/account/me-page.tsx';
import { Passkeys } from '#web/identity/account/passkeys.tsx';
import { RecoveryCodes } from '#web/identity/account/recovery-codes.tsx';
import { api } from '#web/platform/api.ts';
import { preload } from '#web/platform/preload.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';

export const Route = createFileRoute('/me/security')({
  loader: () =>
    preload(async () => [(await import('#web/platform/api.ts')).api.me.secondFactor.queryOptions()]),
  component: Security,
});

function Security() {
  const { t } = useTranslation('account');
  const query = useQuery(api.me.secondFactor.queryOptions());
  return (
    <MePage title={t('entries.security')} note={t('security.intro')}>
      <AsyncRegion query={query} what={t('security.what')} skeleton={<PanelSkeleton height={280} />}>
        {(factor) => (
          <Stack gap="lg" maw={640}>
            <AuthenticatorApp factor={factor} />
            <Passkeys factor={factor} />
            {(factor.totp !== null || factor.passkeys.length > 0) && <RecoveryCodes factor={factor} />}
          </Stack>
        )}
      </AsyncRegion>
    </MePage>
  );
}
