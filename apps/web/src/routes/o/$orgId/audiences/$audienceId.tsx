import { Button, Group, Menu, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { AudienceEditor } from '#web/content/audiences/audience-editor.tsx';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { notify } from '#web/ui/notify.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useAction } from '#web/ui/use-action.ts';

export const Route = createFileRoute('/o/$orgId/audiences/$audienceId')({ component: AudiencePage });

function AudiencePage() {
  const { t } = useTranslation(['audiences', 'common']);
  const { api, orgId, can } = useOrganization();
  const { audienceId } = Route.useParams();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const action = useAction();
  const query = useQuery(api.filters.get.queryOptions({ input: { id: audienceId } }));
  return (
    <AsyncRegion page query={query} what={t('whatOne')} skeleton={<PanelSkeleton height={480} />}>
      {(filter) => (
        <>
          <PageHeader
            title={filter.name}
            section={t('title')}
            crumbs={[
              <LinkAnchor key="audiences" to="/o/$orgId/audiences" params={{ orgId }}>
                {t('title')}
              </LinkAnchor>,
            ]}
            badge={<StatusBadge status={filter.is_active ? 'active' : 'inactive'} />}
            more={
              can('delete', 'Filter') && (
                <Menu.Item c="var(--app-danger)" onClick={() => setDeleting(true)}>
                  {t('common:actions.delete')}
                </Menu.Item>
              )
            }
          />
          <AudienceEditor key={filter.id} filter={filter} onSaved={async () => undefined} />
          <Modal
            opened={deleting}
            onClose={() => setDeleting(false)}
            title={t('deleteTitle', { name: filter.name })}
            closeButtonProps={{ 'aria-label': t('common:actions.close') }}
          >
            <Text mb="lg">{t('deleteBody')}</Text>
            <ActionError error={action.error} />
            <Group justify="flex-end" gap="xs" mt="md">
              <Button variant="default" data-autofocus onClick={() => setDeleting(false)}>
                {t('common:actions.cancel')}
              </Button>
              <Button
                color="red"
                loading={action.pending}
                onClick={() =>
                  void action.run(async () => {
                    await client.filters.delete({ id: filter.id });
                    await navigate({ to: '/o/$orgId/audiences', params: { orgId } });
                    await refreshOrganization(orgId);
                    notify(t('deleted'));
                  })
                }
              >
                {t('delete')}
              </Button>
            </Group>
          </Modal>
        </>
      )}
    </AsyncRegion>
  );
}
