import { Group, TextInput } from '@mantine/core';
import type { Organization } from '@reachout/contract/organizations.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CountrySelect } from '#web/identity/contact-details/country-select.tsx';
import { client } from '#web/platform/api.ts';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { SizeSelect } from '#web/identity/organizations/size-select.tsx';
import { refresh } from '#web/platform/query-client.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { readLogo, removeStored, sendFile } from '#web/platform/upload.ts';
import { Form } from '#web/ui/form.tsx';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ImageChoice } from '#web/ui/image-choice.tsx';
import { useNameCheck } from '#web/ui/use-name-check.ts';

interface Props {
  /** The organization created before, if the user returns to this step. */
  organization: Organization | undefined;
  onDone: (organizationId: string) => Promise<void>;
}

export function OrganizationStep({ organization, onDone }: Props) {
  const { t } = useTranslation(['organizations', 'common']);
  const checkName = useNameCheck();
  // Once it is created, a later failure must not create a second one.
  const [madeId, setMadeId] = useState(organization?.id);
  const [idempotencyKey] = useState(randomUuid);
  const [logo, setLogo] = useState<{ file: File; url: string } | null>();
  const choosing = useMutation({
    mutationFn: async (file: File) => setLogo({ file, url: await readLogo(file) }),
  });
  const form = useServerForm({
    initial: {
      name: organization?.name ?? '',
      organization_size_id: organization?.organization_size_id ?? null,
      country_id: organization?.country_id ?? null,
    },
    checks: { name: checkName },
    submit: async (values) => {
      const given = { ...values, name: values.name.trim() };
      const { id } =
        madeId === undefined
          ? await client.organizations.create(given, { context: { idempotencyKey } })
          : await client.organizations.update({ id: madeId, ...given });
      setMadeId(id);
      if (logo) await sendFile(`storage/logos/organizations/${id}`, logo.file);
      if (logo === null && organization?.logo_url) await removeStored(organization.logo_url);
      await refresh('me', id);
      await onDone(id);
    },
  });
  const { getInputProps, getValues } = form.fields;
  const shown = logo === undefined ? (organization?.logo_url ?? null) : (logo?.url ?? null);
  return (
    <Form form={form} submitLabel={t('common:actions.continue')}>
      <TextInput
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a page that only asks
        autoFocus
        label={t('name')}
        description={t('nameHint')}
        autoComplete="organization"
        {...getInputProps('name')}
      />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <SizeSelect
          label={`${t('size')} ${t('common:optional')}`}
          {...getInputProps('organization_size_id')}
        />
        <CountrySelect
          clearable
          label={`${t('country')} ${t('common:optional')}`}
          {...getInputProps('country_id')}
        />
      </Group>
      <ImageChoice
        label={`${t('logo')} ${t('common:optional')}`}
        preview={<Logo name={getValues().name || '?'} logo={shown} size={56} />}
        hasImage={shown !== null}
        error={choosing.error}
        onChoose={choosing.mutate}
        onRemove={() => setLogo(null)}
      />
    </Form>
  );
}
