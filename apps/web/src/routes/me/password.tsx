import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MePage } from '../../me/me-page.tsx';
import { meQuery } from '../../me/me-query.ts';
import { PasswordForm } from '../../me/password-form.tsx';
import { SetPassword } from '../../me/set-password.tsx';
import { AsyncRegion } from '../../ui/async-region.tsx';
import { PanelSkeleton } from '../../ui/skeletons.tsx';

export const Route = createFileRoute('/me/password')({ component: Password });

function Password() {
  const { t } = useTranslation('me');
  const query = useQuery(meQuery);
  return (
    <MePage title={t('entries.password')}>
      <AsyncRegion query={query} what={t('profile.what')} skeleton={<PanelSkeleton height={280} />}>
        {(user) => (user.has_password ? <PasswordForm user={user} /> : <SetPassword user={user} />)}
      </AsyncRegion>
    </MePage>
  );
}
