import { Stack } from '@mantine/core';
import type { Website } from '@reachout/contract/websites.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { CardSkeleton } from '#web/ui/page-skeletons.tsx';
import { DroppedEvents } from './dropped-events.tsx';
import { InstallCard } from './install-card.tsx';
import { LiveCheck } from './live-check.tsx';
import { LiveEvents } from './live-events.tsx';
import { WebsiteHosts } from './website-hosts.tsx';
import { websiteQuery } from './website-query.ts';

/** Whether a website works, what happens on it, and how to set it up. */
export function WebsiteOverview() {
  const { t } = useTranslation('websites');
  const { touchpoint } = useTouchpoint();
  const query = useQuery(websiteQuery(useOrganization(), touchpoint.id));
  return (
    <AsyncRegion
      query={query}
      what={t('what')}
      skeleton={
        <Stack gap="lg">
          <CardSkeleton lines={2} />
          <CardSkeleton />
        </Stack>
      }
    >
      {(website) => <Overview website={website} />}
    </AsyncRegion>
  );
}

function Overview({ website }: { website: Website }) {
  const { can } = useOrganization();
  // Until it works, the setup comes first. What is read meanwhile keeps its place.
  const [wasInstalled] = useState(website.first_event !== null);
  const setup = (
    <>
      <WebsiteHosts website={website} />
      <InstallCard website={website} />
    </>
  );
  return (
    <Stack gap="lg" maw={960}>
      <LiveCheck website={website} />
      {!wasInstalled && setup}
      {can('read', 'Statistics') && <LiveEvents />}
      {website.drops.length > 0 && <DroppedEvents drops={website.drops} />}
      {wasInstalled && setup}
    </Stack>
  );
}
