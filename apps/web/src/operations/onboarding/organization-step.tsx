import type { Organization } from '@reachout/contract/organizations.ts';
import { uploadPathOf } from '@reachout/contract/rules/storage.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CountrySelect } from '#web/identity/contact-details/country-select.tsx';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { client } from '#web/platform/api.ts';
import { Logo } from '#web/identity/organizations/organization-logo.tsx';
import { SizeSelect } from '#web/identity/organizations/size-select.tsx';
import { refresh } from '#web/platform/query-client.ts';
import { randomUuid } from '#web/platform/random-uuid.ts';
import { readImage, removeStored, sendFile } from '#web/platform/upload.ts';
import { Form } from '#web/ui/form.tsx';
import { ImageChoice } from '#web/ui/image-choice.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { useRecordForm } from '#web/ui/use-record-form.ts';

interface Props {
  /** The organization created before, if the user returns to this step. */
  organization: Organization | undefined;
  onDone: (organizationId: string) => Promise<void>;
}

export function OrganizationStep({ organization, onDone }: Props) {
  const { t } = useTranslation(['organizations', 'common']);
  // Once it is created, a later failure must not create a second one.
  const [madeId, setMadeId] = useState(organization?.id);
  const [idempotencyKey] = useState(randomUuid);
  const [logo, setLogo] = useState<{ file: File; url: string } | null>();
  const choosing = useMutation({
    mutationFn: async (file: File) => setLogo({ file, url: await readImage(file, 'logos') }),
  });
  const form = useRecordForm(boundsOf('organizations.create'), {
    record: organization,
    fields: {
      name: {
        label: t('name'),
        hint: t('nameHint'),
        autoComplete: 'organization',
        // The first field of a page that only asks.
        inputProps: { autoFocus: true },
      },
      organization_size_id: { label: t('words.size'), input: SizeSelect },
      country_id: {
        label: t('words.country'),
        input: CountrySelect,
        inputProps: { clearable: true },
        isBeside: true,
      },
    },
    save: async (values) => {
      const { id } =
        madeId === undefined
          ? await client.organizations.create(values, { context: { idempotencyKey } })
          : await client.organizations.update({ id: madeId, ...values });
      setMadeId(id);
      if (logo) await sendFile(uploadPathOf('organizationLogo', id), logo.file);
      if (logo === null && organization?.logo_url) await removeStored(organization.logo_url);
      await refresh('me', id);
      await onDone(id);
    },
  });
  const shown = logo === undefined ? (organization?.logo_url ?? null) : (logo?.url ?? null);
  return (
    <Form form={form} submitLabel={t('common:actions.continue')}>
      <RecordFields form={form} />
      <ImageChoice
        label={`${t('words.logo')} ${t('common:optional')}`}
        preview={<Logo name={form.current.name || '?'} logo={shown} size={56} />}
        hasImage={shown !== null}
        error={choosing.error}
        onChoose={choosing.mutate}
        onRemove={() => setLogo(null)}
      />
    </Form>
  );
}
