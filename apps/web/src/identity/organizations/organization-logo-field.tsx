import { useTranslation } from 'react-i18next';
import { Mark } from './organization-logo.tsx';
import { refreshOwnOrganizations } from './refresh.ts';
import { useOrganization } from './scope.ts';
import { useRefusal } from './use-refusal.ts';
import { ImageField } from '#web/ui/image-field.tsx';

export function OrganizationLogo() {
  const { t } = useTranslation('settings');
  const { organization, orgId } = useOrganization();
  const refusal = useRefusal();
  return (
    <ImageField
      label={t('general.logo')}
      url={organization.logo_url}
      uploadTo={`logos/organizations/${orgId}`}
      preview={(url) => <Mark name={organization.name} logo={url} size={72} />}
      refusal={refusal('update', 'Organization')}
      onChanged={() => refreshOwnOrganizations(orgId)}
    />
  );
}
