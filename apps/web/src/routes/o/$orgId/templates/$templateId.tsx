import { Menu } from '@mantine/core';
import { useQuery, useMutation } from '@tanstack/react-query';
import { createFileRoute, useNavigate, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useDeleteAndLeave } from '#web/identity/organizations/use-delete-and-leave.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { OwnerChip } from '#web/content/owners/owner-chip.tsx';
import { OwnerDrawer } from '#web/content/owners/owner-drawer.tsx';
import { loadMailEditor } from '#web/content/editor/load-mail-editor.ts';
import { MailEditorSkeleton } from '#web/content/editor/mail-editor-skeleton.tsx';
import { TemplateEditor } from '#web/content/templates/template-editor.tsx';
import { EmailsOfTemplate } from '#web/outreach/touchpoints/emails-of-template.tsx';
import { checked, compact } from '#web/platform/list-search.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DeleteItem, DuplicateItem } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useDuplicate } from '#web/ui/use-duplicate.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RecordSkeleton } from '#web/ui/skeletons.tsx';

const templateQuery = ({ api, orgId }: OrganizationContext, id: string) =>
  api.templates.get.queryOptions({ input: { organization_id: orgId, id } });

interface Search {
  /** Line of the source at which the editor opens. */
  line?: number;
}

export const Route = createFileRoute('/o/$orgId/templates/$templateId')({
  validateSearch: checked((raw): Search => {
    const line = Number(raw['line']);
    return compact({
      line: Number.isSafeInteger(line) && line > 0 ? line : undefined,
    });
  }),
  loader: ({ context, params }) => {
    // Beside the template; the page itself says if it fails.
    loadMailEditor().catch(() => undefined);
    return context.preload((scope) => [templateQuery(scope, params.templateId)]);
  },
  component: TemplatePage,
});

function TemplatePage() {
  const { t } = useTranslation(['templates', 'common']);
  const scope = useOrganization();
  const { api, orgId, can } = scope;
  const { templateId } = Route.useParams();
  const { line } = Route.useSearch();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const [version, setVersion] = useState(0);
  const rename = useMutation(api.templates.update.mutationOptions());
  const remove = useDeleteAndLeave(
    api.templates.delete.mutationOptions(),
    () => navigate({ to: '/o/$orgId/templates', params: { orgId } }),
    t('deleted'),
  );
  const duplicate = useDuplicate(api.templates.duplicate.mutationOptions(), ({ id }) =>
    navigate({ to: '/o/$orgId/templates/$templateId', params: { orgId, templateId: id } }),
  );
  const query = useQuery(templateQuery(scope, templateId));

  return (
    <AsyncRegion
      page
      query={query}
      what={t('records.what', { records: t('words.template') })}
      skeleton={<TemplateSkeleton />}
    >
      {(template) => (
        <>
          <PageHeader
            title={template.title}
            section={t('words.templates')}
            crumbs={linkOptions([
              { to: '/o/$orgId/templates', params: { orgId }, label: t('words.templates') },
            ])}
            note={template.name}
            badge={<OwnerChip owner={template} />}
            more={
              (can('create', 'Template') || can('update', 'Template') || can('delete', 'Template')) && (
                <>
                  {can('create', 'Template') && (
                    <DuplicateItem
                      onClick={() =>
                        duplicate.run(template.title, (title) => ({
                          organization_id: orgId,
                          id: template.id,
                          title,
                        }))
                      }
                    />
                  )}
                  {can('update', 'Template') && (
                    <Menu.Item onClick={() => setDialog('rename')}>{t('common:owner.change')}</Menu.Item>
                  )}
                  {can('delete', 'Template') && <DeleteItem onClick={() => setDialog('delete')} />}
                </>
              )
            }
          />
          <ActionError error={duplicate.error} />
          <TemplateEditor
            key={`${template.id}-${version}`}
            template={template}
            startLine={line}
            onReload={async () => {
              await query.refetch();
              setVersion((number) => number + 1);
            }}
          />
          <EmailsOfTemplate templateId={template.id} />
          {dialog === 'rename' && (
            <OwnerDrawer
              title={t('common:owner.change')}
              label={t('words.title')}
              initial={{ ...template, name: template.title }}
              submitLabel={t('common:actions.save')}
              onClose={() => setDialog(undefined)}
              submit={({ name: title, ...owner }) =>
                rename.mutateAsync({ organization_id: orgId, id: template.id, title, ...owner })
              }
            />
          )}
          {dialog === 'delete' && (
            <ConfirmDialog
              title={t('records.deleteTitle', { name: template.title })}
              text={t('deleteBody')}
              confirmLabel={t('delete')}
              onClose={() => setDialog(undefined)}
              onConfirm={() => remove.mutateAsync({ organization_id: orgId, id: template.id })}
            />
          )}
        </>
      )}
    </AsyncRegion>
  );
}

function TemplateSkeleton() {
  return (
    <RecordSkeleton>
      <MailEditorSkeleton />
    </RecordSkeleton>
  );
}
