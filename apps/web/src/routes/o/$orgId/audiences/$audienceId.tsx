import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AudienceEditor, AudienceSkeleton } from '#web/contacts/audiences/audience-editor.tsx';
import { useOrganization, type OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { useDeleteAndLeave } from '#web/identity/organizations/use-delete-and-leave.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { BackToEmail } from '#web/outreach/new-email/back-to-email.tsx';
import { checked, compact, readUuid } from '#web/platform/list-search.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { DeleteItem, DuplicateItem } from '#web/ui/row-menu.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useDuplicate } from '#web/ui/use-duplicate.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { RecordSkeleton } from '#web/ui/skeletons.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const audienceQuery = ({ api }: OrganizationContext, id: string) =>
  api.filters.get.queryOptions({ input: { id } });

interface Search {
  /** The email being written, for the link back to it. */
  email?: string;
}

export const Route = createFileRoute('/o/$orgId/audiences/$audienceId')({
  validateSearch: checked((raw): Search => compact({ email: readUuid(raw['email']) })),
  loader: ({ context, params }) => context.preload((scope) => [audienceQuery(scope, params.audienceId)]),
  component: AudiencePage,
});

function AudiencePage() {
  const { t } = useTranslation(['audiences', 'common']);
  const scope = useOrganization();
  const { api, orgId, can } = scope;
  const { audienceId } = Route.useParams();
  const { email } = Route.useSearch();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const remove = useDeleteAndLeave(
    api.filters.delete.mutationOptions(),
    () => navigate({ to: '/o/$orgId/audiences', params: { orgId } }),
    t('deleted'),
  );
  const duplicate = useDuplicate(api.filters.duplicate.mutationOptions(), ({ id }) =>
    navigate({ to: '/o/$orgId/audiences/$audienceId', params: { orgId, audienceId: id } }),
  );
  const query = useQuery(audienceQuery(scope, audienceId));
  return (
    <AsyncRegion
      page
      query={query}
      what={t('records.what', { records: t('words.audience') })}
      skeleton={pageSkeleton}
    >
      {(filter) => (
        <>
          <PageHeader
            title={filter.name}
            section={t('words.audiences')}
            crumbs={linkOptions([
              { to: '/o/$orgId/audiences', params: { orgId }, label: t('words.audiences') },
            ])}
            badge={<StatusBadge status={filter.is_active ? 'active' : 'inactive'} />}
            primary={email !== undefined && <BackToEmail email={email} />}
            more={
              (can('create', 'Filter') || can('delete', 'Filter')) && (
                <>
                  {can('create', 'Filter') && can('read', 'Content') && (
                    <DuplicateItem
                      onClick={() => duplicate.run(filter.name, (name) => ({ id: filter.id, name }))}
                    />
                  )}
                  {can('delete', 'Filter') && <DeleteItem onClick={() => setDeleting(true)} />}
                </>
              )
            }
          />
          <ActionError error={duplicate.error} />
          <AudienceEditor key={filter.id} filter={filter} onSaved={async () => undefined} />
          {deleting && (
            <ConfirmDialog
              title={t('records.deleteTitle', { name: filter.name })}
              text={t('deleteBody')}
              confirmLabel={t('delete')}
              onClose={() => setDeleting(false)}
              onConfirm={() => remove.mutateAsync({ id: filter.id })}
            />
          )}
        </>
      )}
    </AsyncRegion>
  );
}

const pageSkeleton = (
  <RecordSkeleton>
    <AudienceSkeleton />
  </RecordSkeleton>
);
