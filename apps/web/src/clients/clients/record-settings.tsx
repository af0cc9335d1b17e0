import { Button, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { refreshOrganization } from '#web/platform/refresh.ts';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { useServerForm } from '#web/ui/form.tsx';
import { ImageField } from '#web/ui/image-field.tsx';
import { notify } from '#web/ui/notify.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';
import { ValueList } from '#web/ui/value-list.tsx';

interface Props {
  record: { id: string; name: string; logo_url: string | null };
  /** Where its logo goes. */
  folder: 'clients' | 'brands';
  nameLabel: string;
  /** Why nothing can be changed; undefined when it can. */
  denialReason: string | undefined;
  rename: (name: string) => Promise<unknown>;
}

/** Logo and name of a client or a brand. */
export function RecordSettings({ record, folder, nameLabel, denialReason, rename }: Props) {
  const { t } = useTranslation(['clients', 'common']);
  const { orgId } = useOrganization();
  const checkName = useNameCheck();
  const form = useServerForm({
    initial: { name: record.name },
    checks: { name: checkName },
    submit: async ({ name }) => {
      await rename(name.trim());
      form.fields.resetDirty({ name });
      await refreshOrganization(orgId);
      notify(t('renamed'));
    },
  });
  const canChange = denialReason === undefined;
  return (
    <Stack gap="lg" maw={640}>
      <UnsavedGuard dirty={form.fields.isDirty()} onSave={form.save} />
      <ImageField
        label={t('logo')}
        url={record.logo_url}
        uploadTo={`logos/${folder}/${record.id}`}
        preview={(url) => <Logo name={record.name} logo={url} size={64} />}
        denialReason={denialReason}
        onChanged={() => refreshOrganization(orgId)}
      />
      <form noValidate onSubmit={form.onSubmit}>
        <Stack gap="md" align="flex-start">
          {canChange ? (
            <TextInput w="100%" label={nameLabel} maxLength={120} {...form.fields.getInputProps('name')} />
          ) : (
            <ValueList values={[{ name: nameLabel, value: record.name }]} />
          )}
          <ActionError error={form.error} title={t('common:error.saveFailed')} />
          {canChange && (
            <Button type="submit" loading={form.pending}>
              {t('common:actions.save')}
            </Button>
          )}
        </Stack>
      </form>
    </Stack>
  );
}
