import { Box } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { SidePanel } from '#web/identity/account/side-panel.tsx';
import panels from '#web/ui/resizable.module.css';
import { useTouchpoint } from '#web/outreach/touchpoints/touchpoint-context.ts';
import { DraftStatus } from './draft-status.tsx';
import type { EmailDraft } from './email-draft.ts';
import type { FieldFocus } from './body-editor.tsx';
import { inboxPanel } from './email-skeletons.tsx';
import { InboxFields, MessageFields } from './email-fields.tsx';
import { LivePreview } from './live-preview.tsx';
import { useEmailForm } from './use-email-form.ts';

interface Props {
  draft: EmailDraft;
  focus: FieldFocus | undefined;
  /** Asks for the focus on a field, or on a line of the body. */
  onField: (field: string, line?: number) => void;
}

/** The content of an email, with a preview for a real recipient. */
export const EmailForm = ({ draft, ...props }: Props) => (
  <Form key={draft.version} draft={draft} {...props} />
);

function Form({ draft, focus, onField }: Props) {
  const { t } = useTranslation('touchpoints');
  const { canEdit } = useTouchpoint();
  const form = useEmailForm(draft, canEdit);
  useHotkeys([['mod+S', form.submit]], [], true);
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <div data-read-only={!canEdit || undefined}>
          <MessageFields form={form} focus={focus} />
        </div>
        {canEdit && (
          <DraftStatus
            draft={draft}
            hasChanges={form.hasChanges}
            isInvalid={form.isInvalid}
            onRetry={() => void form.save()}
            onTakeTheirs={form.takeTheirs}
          />
        )}
        <Box className={panels.beside ?? ''} mt="lg">
          <SidePanel {...inboxPanel} label={t('design.inboxFields')} side="start">
            <div data-read-only={!canEdit || undefined}>
              <InboxFields form={form} />
            </div>
          </SidePanel>
          <LivePreview draft={draft} typed={form.values} onField={onField} />
        </Box>
      </form>
    </>
  );
}
