import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { DisplayPreferences, KeyboardPreferences } from '#web/identity/account/display-preferences.tsx';
import { MePage } from '#web/identity/account/me-page.tsx';
import { preferencesQuery, useChangePreferences } from '#web/identity/account/preferences.ts';
import { RegionPreferences } from '#web/identity/account/region-preferences.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { SectionCard } from '#web/ui/section-card.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { ActionError } from '#web/ui/states.tsx';

export const Route = createFileRoute('/me/preferences')({ component: PreferencesPage });

function PreferencesPage() {
  const { t } = useTranslation('account');
  const query = useQuery(preferencesQuery);
  const { error, change } = useChangePreferences();
  return (
    <MePage title={t('entries.preferences')} note={t('preferences.intro')}>
      <AsyncRegion query={query} what={t('preferences.what')} skeleton={<PanelSkeleton height={520} />}>
        {() => (
          <Stack gap="md" maw={640}>
            <ActionError error={error} title={t('preferences.failed')} />
            <SectionCard title={t('preferences.region')}>
              <RegionPreferences change={change} />
            </SectionCard>
            <SectionCard title={t('preferences.display')}>
              <DisplayPreferences change={change} />
            </SectionCard>
            <SectionCard title={t('preferences.keyboard')}>
              <KeyboardPreferences change={change} />
            </SectionCard>
          </Stack>
        )}
      </AsyncRegion>
    </MePage>
  );
}
