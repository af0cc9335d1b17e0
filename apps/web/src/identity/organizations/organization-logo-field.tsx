import { useTranslation } from 'react-i18next';
import { Logo } from './organization-logo.tsx';
import { refresh } from '#web/platform/query-client.ts';
import { useOrganization } from './use-organization.ts';
import { useDenialReason } from './use-denial-reason.ts';
import { ImageField } from '#web/ui/image-field.tsx';

export function OrganizationLogo() {
  const { t } = useTranslation('settings');
  const { organization, orgId } = useOrganization();
  const denialReason = useDenialReason();
  return (
    <ImageField
      label={t('general.logo')}
      url={organization.logo_url}
      uploadTo={`logos/organizations/${orgId}`}
      preview={(url) => <Logo name={organization.name} logo={url} size={72} />}
      denialReason={denialReason('update', 'Organization')}
      onChanged={() => refresh('me', orgId)}
    />
  );
}
