import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, linkOptions } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
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
        crumbs={linkOptions([{ to: '/o/$orgId/audiences', params: { orgId }, label: t('title') }])}
      />
      {contacts.data?.meta.total_count === 0 ? (
        <EmptyState
          icon={IconUsersGroup}
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
