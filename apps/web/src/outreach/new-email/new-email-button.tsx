import { IconMailPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkButton } from '#web/platform/links.tsx';
import { compact } from '#web/platform/list-search.ts';

interface Props {
  /** The brand and the campaign, if already known. */
  brand?: string;
  campaign?: string;
}

/** Link to a new email, for users who can create one. */
export function NewEmailButton({ brand, campaign }: Props) {
  const { t } = useTranslation('common');
  const { orgId, can } = useOrganization();
  if (!can('create', 'Touchpoint')) return null;
  return (
    <LinkButton
      variant="filled"
      to="/o/$orgId/emails/new"
      params={{ orgId }}
      search={compact({ brand, campaign })}
      leftSection={<IconMailPlus size={16} />}
    >
      {t('words.newEmail')}
    </LinkButton>
  );
}
