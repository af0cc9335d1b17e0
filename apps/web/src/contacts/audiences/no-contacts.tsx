import { IconUsersGroup } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { compact } from '#web/platform/list-search.ts';
import { EmptyState } from '#web/ui/states.tsx';

interface Props {
  /** Into which contacts are imported. */
  collection: string | undefined;
  /** The email being written, for the link back to it. */
  email?: string;
}

/** In place of a new audience while there is nobody who could be in it. */
export function NoContacts({ collection = 'contacts', email }: Props) {
  const { t } = useTranslation('audiences');
  const { orgId, canEver } = useOrganization();
  return (
    <EmptyState
      icon={IconUsersGroup}
      title={t('noContacts.title')}
      text={t('noContacts.body')}
      actions={
        canEver('create', 'Content') && (
          <LinkButton
            variant="filled"
            to="/o/$orgId/collections/$collection/import"
            params={{ orgId, collection }}
            search={compact({ email })}
          >
            {t('words.importContacts')}
          </LinkButton>
        )
      }
    />
  );
}
