import { Button, Group, Menu, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '#web/platform/api.ts';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { TemplateEditor } from '#web/content/templates/template-editor.tsx';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { NameDrawer } from '#web/ui/name-drawer.tsx';
import { notify } from '#web/ui/notify.tsx';
import { PanelSkeleton } from '#web/ui/skeletons.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useAction } from '#web/ui/use-action.ts';

export const Route = createFileRoute('/o/$orgId/templates/$templateId')({ component: TemplatePage });

function TemplatePage() {
  const { t } = useTranslation(['templates', 'common']);
  const { api, orgId, can } = useOrganization();
  const { templateId } = Route.useParams();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const [version, setVersion] = useState(0);
  const action = useAction();
  const query = useQuery(
    api.templates.get.queryOptions({ input: { organization_id: orgId, id: templateId } }),
  );

  return (
    <AsyncRegion page query={query} what={t('whatOne')} skeleton={<PanelSkeleton height={680} />}>
      {(template) => (
        <>
          <PageHeader
            title={template.title}
            section={t('title')}
            crumbs={[
              <LinkAnchor key="templates" to="/o/$orgId/templates" params={{ orgId }}>
                {t('title')}
              </LinkAnchor>,
            ]}
            note={template.name}
            more={
              (can('update', 'Template') || can('delete', 'Template')) && (
                <>
                  {can('update', 'Template') && (
                    <Menu.Item onClick={() => setDialog('rename')}>{t('common:actions.rename')}</Menu.Item>
                  )}
                  {can('delete', 'Template') && (
                    <Menu.Item c="var(--app-danger)" onClick={() => setDialog('delete')}>
                      {t('common:actions.delete')}
                    </Menu.Item>
                  )}
                </>
              )
            }
          />
          <TemplateEditor
            key={`${template.id}-${version}`}
            template={template}
            onReload={async () => {
              await query.refetch();
              setVersion((number) => number + 1);
            }}
          />
          {dialog === 'rename' && (
            <NameDrawer
              title={t('common:actions.rename')}
              label={t('titleField')}
              initial={template.title}
              submitLabel={t('common:actions.save')}
              onClose={() => setDialog(undefined)}
              submit={async (title) => {
                await client.templates.update({ organization_id: orgId, id: template.id, title });
                await refreshOrganization(orgId);
                setDialog(undefined);
              }}
            />
          )}
          <Modal
            opened={dialog === 'delete'}
            onClose={() => setDialog(undefined)}
            title={t('deleteTitle', { name: template.title })}
            closeButtonProps={{ 'aria-label': t('common:actions.close') }}
          >
            <Text mb="lg">{t('deleteBody')}</Text>
            <ActionError error={action.error} />
            <Group justify="flex-end" gap="xs" mt="md">
              <Button variant="default" data-autofocus onClick={() => setDialog(undefined)}>
                {t('common:actions.cancel')}
              </Button>
              <Button
                color="red"
                loading={action.pending}
                onClick={() =>
                  void action.run(async () => {
                    await client.templates.delete({ organization_id: orgId, id: template.id });
                    await navigate({ to: '/o/$orgId/templates', params: { orgId } });
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
