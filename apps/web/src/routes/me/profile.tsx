import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmailAddress } from '../../me/email-address.tsx';
import { MePage } from '../../me/me-page.tsx';
import { meQuery, refreshMe } from '../../me/me-query.ts';
import { Photo } from '../../me/photo.tsx';
import { ProfileForm } from '../../me/profile-form.tsx';
import { AsyncRegion } from '../../ui/async-region.tsx';
import { PanelSkeleton } from '../../ui/skeletons.tsx';

export const Route = createFileRoute('/me/profile')({
  component: Profile,
});

function Profile() {
  const { t } = useTranslation('me');
  const query = useQuery(meQuery);
  return (
    <MePage title={t('entries.profile')}>
      <AsyncRegion query={query} what={t('profile.what')} skeleton={<PanelSkeleton height={520} />}>
        {(user) => (
          <Stack gap="lg" maw={640}>
            <Photo user={user} onChanged={refreshMe} />
            <EmailAddress user={user} />
            <ProfileForm user={user} />
          </Stack>
        )}
      </AsyncRegion>
    </MePage>
  );
}
