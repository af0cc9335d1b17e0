import { useQuery } from '@tanstack/react-query';
import { useNavigate, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { compact } from '#web/platform/list-search.ts';
import { ForbiddenState } from '#web/ui/states.tsx';
import { AudienceEditor } from './audience-editor.tsx';
import { NoContacts } from './no-contacts.tsx';

export function NewAudience() {
  const { t } = useTranslation(['audiences', 'common']);
  const { api, orgId, clientId, can } = useOrganization();
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
        section={t('words.audiences')}
        crumbs={linkOptions([{ to: '/o/$orgId/audiences', params: { orgId }, label: t('words.audiences') }])}
      />
      {people?.every((list) => list.item_count === 0) ? (
        <NoContacts collection={people[0]?.collection} />
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
