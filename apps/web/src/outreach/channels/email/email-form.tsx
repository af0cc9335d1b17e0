import { SegmentedControl } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { DraftStatus } from './draft-status.tsx';
import type { EmailDraft } from './email-draft.ts';
import type { FieldFocus } from './body-editor.tsx';
import { EmailFields } from './email-fields.tsx';
import { LivePreview } from './live-preview.tsx';
import { useEmailForm } from './use-email-form.ts';
import classes from './split.module.css';

interface Props {
  draft: EmailDraft;
  focus: FieldFocus | undefined;
  /** Asks for the focus on a field, or on a line of the body. */
  onField: (field: string, line?: number) => void;
}

/** The content of an email beside a preview for a real recipient. */
export const EmailForm = ({ draft, ...props }: Props) => (
  <Form key={draft.version} draft={draft} {...props} />
);

function Form({ draft, focus, onField }: Props) {
  const { t } = useTranslation('touchpoints');
  const { canEdit } = useTouchpoint();
  const [show, setShow] = useState('fields');
  const form = useEmailForm(draft, canEdit);
  const [lastCount, setLastCount] = useState(focus?.count);
  if (focus?.count !== lastCount) {
    // On narrow screens the preview may hide the requested field.
    setLastCount(focus?.count);
    setShow('fields');
  }
  useHotkeys([['mod+S', form.submit]], [], true);
  return (
    <>
      <UnsavedGuard dirty={form.hasChanges} saving={draft.saving} onSave={form.save} savesItself />
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
        <form
          noValidate
          data-read-only={!canEdit || undefined}
          onSubmit={(event) => {
            event.preventDefault();
            form.submit();
          }}
        >
          <EmailFields form={form} focus={focus} />
          {canEdit && (
            <DraftStatus
              draft={draft}
              hasChanges={form.hasChanges}
              isInvalid={form.isInvalid}
              onRetry={() => void form.save()}
              onTakeTheirs={form.takeTheirs}
            />
          )}
        </form>
        <LivePreview draft={draft} typed={form.values} onField={onField} />
      </div>
    </>
  );
}
