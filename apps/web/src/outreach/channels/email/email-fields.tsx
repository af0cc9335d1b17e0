import { Button, Fieldset, Stack, TextInput } from '@mantine/core';
import { isEmail } from '@reachout/contract/rules/addresses.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { MergeTags } from '#web/content/templates/merge-tags.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { ActionError } from '#web/ui/states.tsx';
import { focusFirst } from '#web/ui/use-server-form.ts';
import { BodyEditor, type FieldFocus } from './body-editor.tsx';
import { useTagSources } from './use-tag-sources.ts';
import type { EmailFields as Fields, EmailForm } from './use-email-form.ts';

interface Props {
  form: EmailForm;
  focus: FieldFocus | undefined;
}

const isField = (fields: Fields, name: string): name is keyof Fields => Object.hasOwn(fields, name);

/** Subject and body: between them is nothing to step through. */
export function MessageFields({ form, focus }: Props) {
  const { t } = useTranslation('touchpoints');
  useFieldFocus(form, focus);
  return (
    <Stack gap="md">
      <TagInput form={form} name="subject" label={t('words.subject')} />
      <BodyEditor form={form} focus={focus} />
    </Stack>
  );
}

/** What is shown beside the subject in an inbox: preview text and sender. */
export function InboxFields({ form }: Pick<Props, 'form'>) {
  const { fields, values } = form;
  const { t } = useTranslation(['touchpoints', 'common']);
  const { canEdit } = useTouchpoint();
  const text = (name: keyof Fields) => ({
    readOnly: !canEdit,
    ...fields.getInputProps(name),
  });
  return (
    <Stack gap="md">
      <TagInput
        form={form}
        name="preheader"
        label={t('words.preheader')}
        description={t('design.preheaderHint')}
      />
      <Fieldset legend={t('words.sender')} radius="md">
        <Stack gap="md">
          <TextInput label={t('words.fromName')} {...text('from_name')} />
          <TextInput
            type="email"
            label={t('words.fromEmail')}
            description={values.from_email.trim() === '' ? t('design.fromEmailMissing') : undefined}
            {...text('from_email')}
          />
          <KeepSender name={values.from_name} address={values.from_email} />
          <TextInput
            type="email"
            label={`${t('words.replyTo')} ${t('common:optional')}`}
            {...text('reply_to')}
          />
        </Stack>
      </Fieldset>
    </Stack>
  );
}

function useFieldFocus({ fields }: EmailForm, focus: FieldFocus | undefined): void {
  const field = focus?.field;
  const count = focus?.count;
  useEffect(() => {
    if (field !== undefined && isField(fields.getValues(), field)) focusFirst(fields, [field]);
    // oxlint-disable-next-line react/exhaustive-deps -- each count is one wish for the focus
  }, [field, count]);
}

interface TagInputProps {
  form: EmailForm;
  name: 'subject' | 'preheader';
  label: string;
  description?: string;
}

/** A line of text with merge tags, which are inserted at the cursor. */
function TagInput({ form: { fields, values }, name, label, description }: TagInputProps) {
  const { canEdit } = useTouchpoint();
  const sources = useTagSources();
  const input = useRef<HTMLInputElement>(null);
  const insert = (tag: string) => {
    const { selectionStart, selectionEnd } = input.current ?? {};
    const text = values[name];
    const from = selectionStart ?? text.length;
    fields.setFieldValue(name, text.slice(0, from) + tag + text.slice(selectionEnd ?? from));
  };
  return (
    <TextInput
      ref={input}
      label={label}
      description={description}
      readOnly={!canEdit}
      // Before the text in the order of the Tab key: the body follows the subject.
      leftSection={canEdit && <MergeTags isSmall sources={sources} onInsert={insert} />}
      {...fields.getInputProps(name)}
    />
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
