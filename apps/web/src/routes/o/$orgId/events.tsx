import { Group } from '@mantine/core';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CampaignGraph } from '#web/delivery/graph/campaign-graph.tsx';
import { EventTable } from '#web/delivery/graph/event-table.tsx';
import { GraphDialog, type OpenedGraph } from '#web/delivery/graph/graph-dialog.tsx';
import { campaignQuery, graphQuery } from '#web/delivery/graph/graph-queries.ts';
import { loadEventGraphTexts } from '#web/i18n/i18n.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { checked, compact, readChoice, readUuid } from '#web/platform/list-search.ts';
import { useChangeSearch } from '#web/platform/use-change-search.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { ChoiceSwitch } from '#web/ui/choice-switch.tsx';

const views = ['table', 'graph'] as const;

interface EventsSearch {
  /** Whose graph is open; undefined for those of all campaigns. */
  campaign?: string;
  view?: (typeof views)[number];
}

const readSearch = checked((raw): EventsSearch =>
  compact({ campaign: readUuid(raw['campaign']), view: readChoice(raw['view'], views) }),
);

export const Route = createFileRoute('/o/$orgId/events')({
  validateSearch: readSearch,
  loaderDeps: ({ search: { campaign } }) => ({ campaign }),
  beforeLoad: loadEventGraphTexts,
  loader: ({ context, deps: { campaign } }) =>
    context.preload(async (scope) => {
      const queries = await import('#web/delivery/graph/graph-queries.ts');
      return [
        queries.graphQuery(scope, campaign),
        campaign !== undefined && queries.campaignQuery(scope, campaign),
      ];
    }),
  component: Events,
});

function Events() {
  const { campaign } = Route.useSearch();
  return campaign === undefined ? <AllGraphs /> : <OneGraph key={campaign} campaignId={campaign} />;
}

/** What reacts to what in all campaigns. */
function AllGraphs() {
  const { t } = useTranslation('eventGraph');
  const query = useQuery(graphQuery(useOrganization()));
  const [opened, setOpened] = useState<OpenedGraph>();
  return (
    <>
      <PageHeader title={t('title')} note={t('intro')} />
      <EventTable query={query} isGrouped onOpen={setOpened} empty={{ text: t('empty.overview') }} />
      {opened && <GraphDialog opened={opened} onOpen={setOpened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function OneGraph({ campaignId }: { campaignId: string }) {
  const { t } = useTranslation('eventGraph');
  const query = useQuery(campaignQuery(useOrganization(), campaignId));
  return (
    <AsyncRegion page query={query} what={t('what')}>
      {(campaign) => <GraphPage campaign={campaign} />}
    </AsyncRegion>
  );
}

function GraphPage({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('eventGraph');
  const { orgId } = useOrganization();
  const { view = 'table' } = Route.useSearch();
  const change = useChangeSearch<EventsSearch>();
  // On a phone there is no room to draw it.
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const { brand } = campaign;
  return (
    <CampaignGraph
      campaign={campaign}
      isDrawn={isWide && view === 'graph'}
      header={(create, more) => (
        <>
          <PageHeader
            title={t('title')}
            section={campaign.name}
            crumbs={[
              { ...recordPages.client(orgId, brand.client.id), label: brand.client.name },
              { ...recordPages.brand(orgId, brand.id), label: brand.name },
              { ...recordPages.campaign(orgId, campaign.id), label: campaign.name },
            ]}
            note={campaign.name}
            primary={create}
            more={more}
          />
          {isWide && create && (
            <Group mb="md">
              <ChoiceSwitch
                aria-label={t('words.view')}
                value={view}
                onChange={(next) => change({ view: next === 'table' ? undefined : next })}
                data={views.map((value) => ({ value, label: t(`view.${value}`) }))}
              />
            </Group>
          )}
        </>
      )}
    />
  );
}
