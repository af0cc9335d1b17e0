import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MePage } from '#web/identity/account/me-page.tsx';
import { meQuery } from '#web/identity/account/me-query.ts';
import { PasswordForm } from '#web/identity/account/password-form.tsx';
import { SetPassword } from '#web/identity/account/password-link.tsx';
import { preload } from '#web/platform/preload.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';

export const Route = createFileRoute('/me/password')({
  loader: () => preload(async () => [(await import('#web/identity/account/me-query.ts')).meQuery]),
  component: Password,
});

function Password() {
  const { t } = useTranslation('account');
  const query = useQuery(meQuery);
  return (
    <MePage title={t('entries.password')}>
      <AsyncRegion query={query} what={t('profile.what')} skeleton={<PanelSkeleton height={280} />}>
        {(user) => (user.has_password ? <PasswordForm user={user} /> : <SetPassword user={user} />)}
      </AsyncRegion>
    </MePage>
  );
}
