import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { EmptyState, ForbiddenState } from '#web/ui/states.tsx';
import { AudienceEditor } from './audience-editor.tsx';

export function NewAudience() {
  const { t } = useTranslation(['audiences', 'common']);
  const { api, orgId, clientId, can, canEver } = useOrganization();
  const navigate = useNavigate();
  const lists = useQuery(
    api.content.collections.queryOptions({ input: compact({ organization_id: orgId, client_id: clientId }) }),
  );
  const people = lists.data?.data.filter((list) => list.has_contacts);
  if (!can('create', 'Filter') || !can('read', 'Content')) return <ForbiddenState />;
  return (
    <>
      <PageHeader
        title={t('new')}
        section={t('title')}
        crumbs={linkOptions([{ to: '/o/$orgId/audiences', params: { orgId }, label: t('title') }])}
      />
      {people?.every((list) => list.item_count === 0) ? (
        <EmptyState
          icon={IconUsersGroup}
          title={t('noContacts.title')}
          actions={
            canEver('create', 'Content') && (
              <LinkButton
                to="/o/$orgId/collections/$collection/import"
                params={{ orgId, collection: people[0]?.collection ?? 'contacts' }}
              >
                {t('noContacts.action')}
              </LinkButton>
            )
          }
          text={t('noContacts.body')}
        />
      ) : (
        <AudienceEditor
          onSaved={(filter) =>
            navigate({ to: '/o/$orgId/audiences/$audienceId', params: { orgId, audienceId: filter.id } })
          }
        />
      )}
    </>
  );
}
