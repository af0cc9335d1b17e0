import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { refresh } from '#web/platform/query-client.ts';
import { ImageField } from '#web/ui/image-field.tsx';
import { NameForm } from '#web/ui/name-form.tsx';

interface Props {
  record: { id: string; name: string; logo_url: string | null };
  nameLabel: string;
  /** Why nothing can be changed; undefined if it can. */
  denialReason: string | undefined;
  rename: (name: string) => Promise<unknown>;
}

export function ClientSettings({ record, nameLabel, denialReason, rename }: Props) {
  const { t } = useTranslation('clients');
  const { orgId } = useOrganization();
  return (
    <Stack gap="lg" maw={640}>
      <ImageField
        label={t('words.logo')}
        url={record.logo_url}
        kind="clientLogo"
        id={record.id}
        preview={(url) => <Logo name={record.name} logo={url} size={64} />}
        denialReason={denialReason}
        onChanged={() => refresh(orgId)}
      />
      <NameForm label={nameLabel} name={record.name} canChange={denialReason === undefined} rename={rename} />
    </Stack>
  );
}
