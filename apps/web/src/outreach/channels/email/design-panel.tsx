import { Fieldset, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TouchpointEmail } from '@reachout/contract/touchpoints.ts';
import { EmailContent } from './email-content.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor, LinkButton } from '#web/platform/links.tsx';
import { refresh } from '#web/platform/query-client.ts';
import { SaveBar } from '#web/ui/save-bar.tsx';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { LivePreview } from './live-preview.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import classes from './split.module.css';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { useServerForm } from '#web/ui/use-server-form.ts';
import { ActionError } from '#web/ui/states.tsx';

const tag = '{{ contact.first_name }}';

export default function DesignPanel() {
  return <EmailContent>{(email) => <Design email={email} />}</EmailContent>;
}

function Design({ email }: { email: TouchpointEmail }) {
  const { t } = useTranslation(['touchpoints', 'common']);
  const { api, orgId, can } = useOrganization();
  const { touchpoint, canEdit } = useTouchpoint();
  const [show, setShow] = useState('fields');
  const templates = useQuery(
    api.templates.list.queryOptions({
      input: { organization_id: orgId, order: 'title.asc', page: 0, page_size: 500 },
    }),
  );
  // What is stored is known before anything is read again: who leaves meanwhile has nothing unsaved.
  const update = useMutation(api.touchpoints.updateEmail.mutationOptions({ meta: { refreshes: false } }));
  const form = useServerForm({
    initial: {
      subject: email.subject,
      preheader: email.preheader,
      from_name: email.from_name,
      from_email: email.from_email,
      reply_to: email.reply_to ?? '',
      template_id: email.template_id ?? '',
    },
    checks: {
      from_name: (value) => (value.includes('@') ? t('design.at') : null),
      from_email: (value) => (value.trim() === '' || isEmail(value) ? null : t('common:form.email')),
      reply_to: (value) => (value.trim() === '' || isEmail(value) ? null : t('common:form.email')),
    },
    submit: async (values) => {
      await update.mutateAsync({
        id: touchpoint.id,
        subject: values.subject,
        preheader: values.preheader,
        from_name: values.from_name,
        from_email: values.from_email.trim(),
        reply_to: values.reply_to.trim() || null,
        template_id: values.template_id || null,
      });
      form.setSaved(values);
      await refresh(orgId);
    },
  });
  const values = form.fields.getValues();
  const changes = canEdit ? form.changes : 0;
  const text = (name: keyof typeof values, maxLength?: number) => ({
    maxLength,
    readOnly: !canEdit,
    ...form.fields.getInputProps(name),
  });

  return (
    <>
      <UnsavedGuard dirty={changes > 0} saving={form.pending} onSave={form.save} />
      <div className={classes.switch}>
        <SegmentedControl
          value={show}
          onChange={setShow}
          data={[
            { value: 'fields', label: t('design.showFields') },
            { value: 'preview', label: t('design.showPreview') },
          ]}
        />
      </div>
      <div className={classes.split} data-show={show}>
        <form noValidate onSubmit={form.onSubmit}>
          <Stack gap="md">
            <TextInput
              label={t('design.subject')}
              description={t('design.subjectHint', { tag })}
              {...text('subject', 300)}
            />
            <TextInput
              label={t('design.preheader')}
              description={t('design.preheaderHint')}
              {...text('preheader', 300)}
            />
            <Select
              searchable
              label={t('design.template')}
              placeholder={t('design.templateNone')}
              readOnly={!canEdit}
              data={(templates.data?.items ?? [])
                .filter((template) => template.template_type === 'email')
                .map((template) => ({ value: template.id, label: template.title }))}
              {...form.fields.getInputProps('template_id')}
            />
            {templates.data?.count === 0 ? (
              <Group gap="xs">
                <Text size="sm" c="dimmed">
                  {t('design.noTemplates')}
                </Text>
                <LinkAnchor size="sm" to="/o/$orgId/templates" params={{ orgId }} search={{ new: true }}>
                  {t('design.newTemplate')}
                </LinkAnchor>
              </Group>
            ) : (
              values.template_id !== '' &&
              can('read', 'Template') && (
                <LinkAnchor
                  size="sm"
                  to="/o/$orgId/templates/$templateId"
                  params={{ orgId, templateId: values.template_id }}
                >
                  {t('design.openTemplate')}
                </LinkAnchor>
              )
            )}
            <Fieldset legend={t('design.sender')} radius="md">
              <Stack gap="md">
                <TextInput label={t('design.fromName')} {...text('from_name', 120)} />
                <TextInput type="email" label={t('design.fromEmail')} {...text('from_email')} />
                <TextInput
                  type="email"
                  label={`${t('design.replyTo')} ${t('common:optional')}`}
                  {...text('reply_to')}
                />
              </Stack>
            </Fieldset>
            <ActionError error={form.error} title={t('common:error.saveFailed')} />
            <Group justify="flex-end">
              <LinkButton
                to="/o/$orgId/touchpoints/$touchpointId/audience"
                params={{ orgId, touchpointId: touchpoint.id }}
                variant={changes > 0 ? 'default' : 'filled'}
                rightSection={<IconArrowRight size={16} stroke={1.75} />}
              >
                {t('design.next')}
              </LinkButton>
            </Group>
          </Stack>
        </form>
        <LivePreview
          sender={values.from_name}
          subject={values.subject}
          preheader={values.preheader}
          templateId={values.template_id || null}
        />
      </div>
      <SaveBar
        changes={changes}
        saving={form.pending}
        savedAt={form.savedAt}
        onSave={() => void form.save()}
        onDiscard={form.fields.reset}
      />
    </>
  );
}
