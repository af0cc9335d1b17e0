import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmailAddress } from '#web/identity/account/email-address.tsx';
import { MePage } from '#web/identity/account/me-page.tsx';
import { meQuery } from '#web/identity/account/me-query.ts';
import { Photo, ProfileForm } from '#web/identity/account/profile-form.tsx';
import { preload } from '#web/platform/preload.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';

export const Route = createFileRoute('/me/profile')({
  loader: () => preload(async () => [(await import('#web/identity/account/me-query.ts')).meQuery]),
  component: Profile,
});

function Profile() {
  const { t } = useTranslation('account');
  const query = useQuery(meQuery);
  return (
    <MePage title={t('entries.profile')}>
      <AsyncRegion query={query} what={t('profile.what')} skeleton={<PanelSkeleton height={520} />}>
        {(user) => (
          <Stack gap="lg" maw={640}>
            <Photo user={user} />
            <EmailAddress user={user} />
            <ProfileForm user={user} />
          </Stack>
        )}
      </AsyncRegion>
    </MePage>
  );
}
