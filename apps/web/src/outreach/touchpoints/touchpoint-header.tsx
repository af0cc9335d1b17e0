import { Box, Group } from '@mantine/core';
import { isSent } from '@reachout/contract/states/touchpoint.ts';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandChip } from '#web/clients/brands/brand-chip.tsx';
import { BrandEdge } from '#web/clients/brands/brand-edge.tsx';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { channels, pagesOf } from '#web/outreach/channels/channels.ts';
import { recordPages } from '#web/identity/lists/record-pages.ts';
import { DuplicateItem } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { TabStrip } from '#web/ui/tab-strip.tsx';
import { useDuplicate } from '#web/ui/use-duplicate.ts';
import { useTouchpoint } from './touchpoint-context.ts';
import { usePauseAll } from './use-pause-all.tsx';

/** The touchpoint's parents and its channel's pages. */
export function TouchpointHeader({ badge }: { badge: ReactNode }) {
  const { t } = useTranslation('touchpoints');
  const { api, orgId, can } = useOrganization();
  const navigate = useNavigate();
  const duplicate = useDuplicate(api.touchpoints.duplicate.mutationOptions(), ({ id }) =>
    navigate({ to: '/o/$orgId/touchpoints/$touchpointId', params: { orgId, touchpointId: id } }),
  );
  const { touchpoint } = useTouchpoint();
  const isEmail = isSent(touchpoint.type);
  const pauseAll = usePauseAll('touchpoint', {
    id: touchpoint.id,
    canPause: isEmail && touchpoint.status === 'active',
    canResume: isEmail && touchpoint.status === 'paused',
  });
  const { Note, Action } = channels[touchpoint.type];
  const pages = pagesOf(touchpoint);
  return (
    <>
      <BrandEdge color={touchpoint.brand.color} />
      <PageHeader
        title={touchpoint.name}
        section={touchpoint.campaign.name}
        crumbs={[
          { ...recordPages.client(orgId, touchpoint.client.id), label: touchpoint.client.name },
          { ...recordPages.brand(orgId, touchpoint.brand.id), label: touchpoint.brand.name },
          { ...recordPages.campaign(orgId, touchpoint.campaign.id), label: touchpoint.campaign.name },
        ]}
        badge={badge}
        primary={
          Action && (
            <Suspense fallback={null}>
              <Action />
            </Suspense>
          )
        }
        more={
          (can('create', 'Touchpoint') || pauseAll.items !== undefined) && (
            <>
              {pauseAll.items}
              {can('create', 'Touchpoint') && (
                <DuplicateItem
                  onClick={() => duplicate.run(touchpoint.name, (name) => ({ id: touchpoint.id, name }))}
                />
              )}
            </>
          )
        }
        note={
          <Group gap={8} align="center">
            <BrandChip brand={touchpoint.brand} client={touchpoint.client.name} />
            {/* On phones always on a line of its own, so that the page below does not move once it is known. */}
            {Note && (
              <Box w={{ base: '100%', sm: 'auto' }} mih="1.55em">
                <Note />
              </Box>
            )}
          </Group>
        }
      />
      <ActionError error={duplicate.error ?? pauseAll.error} />
      <TabStrip
        label={t('tabs.label')}
        tabs={pages.map(({ tab }) => ({
          href: `/o/${orgId}/touchpoints/${touchpoint.id}/${tab}`,
          name: t(`tabs.${tab}`),
        }))}
      />
    </>
  );
}
