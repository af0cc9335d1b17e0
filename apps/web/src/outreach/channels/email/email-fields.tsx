import { Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { ActionError } from '#web/ui/states.tsx';
import { focusFirst } from '#web/ui/use-server-form.ts';
import type { EmailFields as Fields, useEmailForm } from './use-email-form.ts';

interface Props {
  form: ReturnType<typeof useEmailForm>;
  /** The field to focus initially; another count focuses it again. */
  focus?: { field: string; count: number } | undefined;
}

const tag = '{{ contact.first_name }}';

const isField = (fields: Fields, name: string): name is keyof Fields => Object.hasOwn(fields, name);

/** Subject, preview text, template and sender of an email. */
export function EmailFields({ form: { fields, values }, focus }: Props) {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { api, orgId } = useOrganization();
  const { touchpoint, canEdit } = useTouchpoint();
  const templates = useQuery(
    api.templates.list.queryOptions({
      input: {
        organization_id: orgId,
        brand_id: touchpoint.brand.id,
        order: 'title.asc',
        page: 0,
        page_size: 500,
      },
    }),
  );
  const isReady = templates.data !== undefined;
  const field = focus?.field;
  const count = focus?.count;
  useEffect(() => {
    if (isReady && field !== undefined && isField(fields.getValues(), field)) focusFirst(fields, [field]);
    // oxlint-disable-next-line react/exhaustive-deps -- each count is one wish for the focus
  }, [field, count, isReady]);
  const text = (name: keyof Fields) => ({
    readOnly: !canEdit,
    ...fields.getInputProps(name),
  });
  return (
    <Stack gap="md">
      <TextInput
        label={t('design.subject')}
        description={t('design.subjectHint', { tag })}
        {...text('subject')}
      />
      <TextInput
        label={t('design.preheader')}
        description={t('design.preheaderHint')}
        {...text('preheader')}
      />
      <Select
        searchable
        label={t('design.template')}
        placeholder={t('design.templateNone')}
        readOnly={!canEdit}
        data={(templates.data?.items ?? [])
          .filter((template) => template.template_type === 'email')
          .map((template) => ({ value: template.id, label: template.title }))}
        {...fields.getInputProps('template_id')}
        onChange={(value) => fields.setFieldValue('template_id', value ?? '')}
      />
      <TemplateLink templateId={values.template_id} isNone={templates.data?.count === 0} />
      <Fieldset legend={t('design.sender')} radius="md">
        <Stack gap="md">
          <TextInput label={t('design.fromName')} {...text('from_name')} />
          <TextInput
            type="email"
            label={t('design.fromEmail')}
            description={values.from_email.trim() === '' ? t('design.fromEmailMissing') : undefined}
            {...text('from_email')}
          />
          <KeepSender name={values.from_name} address={values.from_email} />
          <TextInput
            type="email"
            label={`${t('design.replyTo')} ${t('common:optional')}`}
            {...text('reply_to')}
          />
        </Stack>
      </Fieldset>
    </Stack>
  );
}

/** Offers the typed sender as the default of a brand that has none. */
function KeepSender({ name, address }: { name: string; address: string }) {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { api, can } = useOrganization();
  const { id } = useTouchpoint().touchpoint.brand;
  const { data: brand } = useQuery(
    api.brands.get.queryOptions({ input: { id }, enabled: can('update', 'Brand') }),
  );
  const keep = useMutation(api.brands.update.mutationOptions());
  if (brand === undefined || brand.from_email !== '' || !isEmail(address.trim()) || name.includes('@'))
    return null;
  return (
    <>
      <ActionError error={keep.error} title={t('common:error.saveFailed')} />
      <Button
        variant="default"
        size="xs"
        style={{ alignSelf: 'start' }}
        loading={keep.isPending}
        onClick={() => keep.mutate({ id, from_name: name.trim(), from_email: address.trim() })}
      >
        {t('design.keepSender', { brand: brand.name })}
      </Button>
    </>
  );
}

function TemplateLink({ templateId, isNone }: { templateId: string; isNone: boolean }) {
  const { t } = useTranslation('touchpoints');
  const { orgId, can } = useOrganization();
  const { touchpoint } = useTouchpoint();
  if (isNone)
    return (
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {t('design.noTemplates')}
        </Text>
        <LinkAnchor size="sm" to="/o/$orgId/templates" params={{ orgId }} search={{ new: true }}>
          {t('design.newTemplate')}
        </LinkAnchor>
      </Group>
    );
  if (templateId === '' || !can('update', 'Template')) return null;
  return (
    <LinkAnchor
      size="sm"
      to="/o/$orgId/templates/$templateId"
      params={{ orgId, templateId }}
      search={{ email: touchpoint.id }}
    >
      {t('design.openTemplate')}
    </LinkAnchor>
  );
}
