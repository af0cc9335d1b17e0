import { useForm } from '@mantine/form';
import { useDebouncedCallback } from '@mantine/hooks';
import type { TouchpointEmail, TouchpointEmailChanges } from '@reachout/contract/touchpoints.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { readKept, writeKept } from '#web/platform/kept.ts';
import { useFieldCheck } from '#web/ui/use-field-check.ts';
import { focusFirst } from '#web/ui/use-server-form.ts';
import type { EmailDraft } from './email-draft.ts';

/** Longer than the default: what is typed is kept in the tab, and a save in the middle of a sentence helps nobody. */
const autosaveMs = 1_000;

const fieldsOf = (email: TouchpointEmail) => ({
  subject: email.subject,
  preheader: email.preheader,
  from_name: email.from_name,
  from_email: email.from_email,
  reply_to: email.reply_to ?? '',
  mjml: email.mjml,
});
export type EmailFields = ReturnType<typeof fieldsOf>;
type FieldName = keyof EmailFields;

interface Kept {
  /** The version that the changes are based on. */
  base: string;
  changes: Partial<EmailFields>;
}

export type EmailForm = ReturnType<typeof useEmailForm>;

/**
 * The fields of an email, saved one second after the last input, which no form of a record is. Changes that cannot be saved are
 * stored in this tab.
 */
export function useEmailForm(draft: EmailDraft, canEdit: boolean) {
  const { t } = useTranslation('touchpoints');
  const check = useFieldCheck();
  const key = `email.${draft.email.touchpoint_id}`;
  const [kept] = useState(() => (canEdit ? (readKept(key) as Kept | undefined) : undefined));
  const stored = fieldsOf(draft.email);
  const names = Object.keys(stored) as FieldName[];
  const rejectionOf = (name: FieldName, value: string) =>
    name === 'from_name' && value.includes('@')
      ? t('words.withoutAt')
      : check(value, boundsOf('touchpoints.updateEmail')[name]);
  const fields = useForm<EmailFields>({
    initialValues: { ...fieldsOf(draft.email), ...kept?.changes },
    validate: Object.fromEntries(
      names.map((name) => [name, (value: string) => rejectionOf(name, value)]),
    ) as never,
    validateInputOnBlur: true,
  });
  const values = fields.getValues();
  const changed = canEdit ? names.filter((name) => valueOf(name, values) !== stored[name]) : [];
  const invalid = changed.filter((name) => rejectionOf(name, values[name]) !== null);
  const changes = Object.fromEntries(changed.map((name) => [name, values[name]])) as Partial<EmailFields>;
  const hasChanges = changed.length > 0;
  const written = JSON.stringify(changes);

  /** @returns whether all input is saved now */
  const save = async (): Promise<boolean> => {
    if (!hasChanges) return true;
    if (draft.isConflict) return false;
    const valid = changed.filter((name) => !invalid.includes(name));
    if (valid.length > 0) {
      const isSaved = await draft.save(
        toInput(Object.fromEntries(valid.map((name) => [name, values[name]]))),
      );
      if (!isSaved) return false;
    }
    return invalid.length === 0;
  };
  const autosave = useDebouncedCallback(() => void save(), autosaveMs);
  const follow = useEffectEvent((_written: string, isConflict: boolean, _retries: number) => {
    draft.setUnsaved('fields', hasChanges ? save : undefined);
    writeKept(key, hasChanges ? { base: draft.email.updated_at, changes } : undefined);
    if (hasChanges && changed.length > invalid.length && !isConflict) autosave();
  });
  const { isConflict, retries } = draft;
  useEffect(() => follow(written, isConflict, retries), [written, isConflict, retries]);
  const checkKept = useEffectEvent(() => {
    if (kept !== undefined && kept.base !== draft.email.updated_at) draft.reportConflict();
  });
  useEffect(() => checkKept(), []);

  return {
    fields,
    values,
    hasChanges,
    isInvalid: invalid.length > 0,
    save,
    /** Whether the stored email has a body. */
    hasBody: draft.email.mjml.trim() !== '',
    /** Replaces the body. @returns the new one; undefined if that failed: the status of the draft says why */
    startOver: async (
      body: Pick<TouchpointEmailChanges, 'starter' | 'language' | 'template_id' | 'mjml'>,
    ) => {
      const saved = await draft.save(body);
      if (saved !== undefined) fields.setFieldValue('mjml', saved.mjml);
      return saved?.mjml;
    },
    /** Saves on request of the user, and focuses the field that prevents saving. */
    submit: () => {
      const { errors } = fields.validate();
      focusFirst(fields, Object.keys(errors));
      void save();
    },
    takeTheirs: () => {
      writeKept(key, undefined);
      draft.setUnsaved('fields', undefined);
      void draft.takeTheirs();
    },
  };
}

/** White space around a line means nothing; in the body, every character is the author's. */
const valueOf = (name: FieldName, values: EmailFields): string =>
  name === 'mjml' ? values.mjml : values[name].trim();

const toInput = ({ from_email, reply_to, ...texts }: Partial<EmailFields>): TouchpointEmailChanges => ({
  ...texts,
  ...(from_email === undefined ? {} : { from_email: from_email.trim() }),
  ...(reply_to === undefined ? {} : { reply_to: reply_to.trim() || null }),
});
