import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/organization-context.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { EmptyState, ForbiddenState } from '#web/ui/states.tsx';
import { AudienceEditor } from './audience-editor.tsx';

export function NewAudience() {
  const { t } = useTranslation(['audiences', 'common']);
  const { api, orgId, can, canEver } = useOrganization();
  const navigate = useNavigate();
  const contacts = useQuery(
    api.content.items.queryOptions({
      input: { organization_id: orgId, collection: 'contacts', limit: 1, page: 1 },
    }),
  );
  if (!can('create', 'Filter') || !can('read', 'Content')) return <ForbiddenState />;
  return (
    <>
      <PageHeader
        title={t('new')}
        section={t('title')}
        crumbs={[
          <LinkAnchor key="audiences" to="/o/$orgId/audiences" params={{ orgId }}>
            {t('title')}
          </LinkAnchor>,
        ]}
      />
      {contacts.data?.meta.total_count === 0 ? (
        <EmptyState
          icon={<IconUsersGroup size={28} stroke={1.75} />}
          title={t('noContacts.title')}
          actions={
            canEver('create', 'Content') && (
              <LinkButton
                to="/o/$orgId/collections/$collection/import"
                params={{ orgId, collection: 'contacts' }}
              >
                {t('noContacts.action')}
              </LinkButton>
            )
          }
        >
          {t('noContacts.body')}
        </EmptyState>
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
