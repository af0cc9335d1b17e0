import { Button, Group, Menu } from '@mantine/core';
import type { Campaign } from '@reachout/contract/campaigns.ts';
import { graphStarters } from '@reachout/contract/event-graph.ts';
import { campaignCan } from '@reachout/contract/states/campaign.ts';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CreateButton } from '#web/identity/organizations/permitted-button.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { isProblem } from '#web/platform/problem.ts';
import { notify } from '#web/ui/notify.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { ActionError, Refusal } from '#web/ui/states.tsx';
import { EventTable } from './event-table.tsx';
import { GraphDialog, type OpenedGraph } from './graph-dialog.tsx';
import { GraphNotes } from './graph-notes.tsx';
import { graphQuery } from './graph-queries.ts';

const Rehearsal = lazyPart(() => import('./rehearsal.tsx'));

const GraphCanvas = lazyPart(() => import('./graph-canvas.tsx'), {
  fallback: <PanelSkeleton height={480} />,
});

interface Props {
  campaign: Campaign;
  isDrawn?: boolean;
  /** On a page that has another main action. */
  isSection?: boolean;
  /** Around the create action and the items of the menu. */
  header: (create: ReactNode, more: ReactNode) => ReactNode;
}

/** What touchpoints of a campaign make of events, as a table or drawn, with what does not fit together. */
export function CampaignGraph({ campaign, isDrawn = false, isSection = false, header }: Props) {
  const { t, i18n } = useTranslation(['eventGraph', 'problems']);
  const scope = useOrganization();
  const query = useQuery(graphQuery(scope, campaign.id));
  const [opened, setOpened] = useState<OpenedGraph>();
  const [isRehearsing, setRehearsing] = useState(false);
  const start = useMutation(
    scope.api.campaigns.startGraph.mutationOptions({ onSuccess: () => notify(t('start.done')) }),
  );
  const language = i18n.language === 'de' ? 'de' : 'en';
  /** Graphs to begin with. */
  const starters = graphStarters.map((starter) => (
    <Menu.Item
      key={starter}
      disabled={start.isPending}
      onClick={() => start.mutate({ id: campaign.id, starter, language })}
    >
      {t(`start.${starter}`)}
    </Menu.Item>
  ));
  const owner = { client_id: campaign.brand.client.id, brand_id: campaign.brand.id };
  const isArchived = !campaignCan.addTouchpoint(campaign);
  const mayStart =
    !isArchived && scope.can('update', 'Touchpoint', owner) && scope.can('send', 'Touchpoint', owner);
  const place = { campaign, brand: campaign.brand, client: campaign.brand.client };
  const events = query.data?.items ?? [];
  const create = (
    <CreateButton
      variant={isSection && events.length > 0 ? 'default' : 'filled'}
      permission={['send', 'Touchpoint']}
      record={owner}
      reason={isArchived ? t('problems:code.campaign_archived') : undefined}
      onClick={() => setOpened({ kind: 'connect' })}
    >
      {t('new')}
    </CreateButton>
  );
  return (
    <>
      {header(
        events.length > 0 && (
          <Group gap="xs">
            {scope.can('read', 'Content') && (
              <Button leftSection={<IconPlayerPlay size={16} />} onClick={() => setRehearsing(true)}>
                {t('rehearsal.rehearse')}
              </Button>
            )}
            {create}
          </Group>
        ),
        mayStart && <>{starters}</>,
      )}
      {isProblem(start.error, 422) && start.variables ? (
        <Refusal>{t(`start.missing.${start.variables.starter}`)}</Refusal>
      ) : (
        <ActionError error={start.error} />
      )}
      {events.length > 0 && <GraphNotes events={events} place={place} />}
      {isDrawn && events.length > 0 ? (
        <GraphCanvas events={events} place={place} onOpen={setOpened} />
      ) : (
        <EventTable
          query={query}
          onOpen={setOpened}
          empty={{
            text: t(mayStart ? 'empty.body' : 'empty.reader'),
            actions: mayStart && (
              <Group gap="xs" justify="center">
                {create}
                <Menu>
                  <Menu.Target>
                    <Button rightSection={<IconChevronDown size={16} />} loading={start.isPending}>
                      {t('start.label')}
                    </Button>
                  </Menu.Target>
                  <Menu.Dropdown>{starters}</Menu.Dropdown>
                </Menu>
              </Group>
            ),
          }}
        />
      )}
      {isRehearsing && (
        <Rehearsal campaignId={campaign.id} events={events} onClose={() => setRehearsing(false)} />
      )}
      {opened && (
        <GraphDialog opened={opened} place={place} onOpen={setOpened} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
