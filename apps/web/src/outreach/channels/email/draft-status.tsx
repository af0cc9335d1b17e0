import { Alert, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { ActionError } from '#web/ui/states.tsx';
import { QuietText } from '#web/ui/text.ts';
import type { EmailDraft } from './email-draft.ts';

interface Props {
  draft: EmailDraft;
  /** Whether the form differs from what is stored. */
  hasChanges: boolean;
  /** Whether a value is invalid and cannot be saved. */
  isInvalid: boolean;
  onTakeTheirs: () => void;
  /** Omitted if there is nothing to retry. */
  onRetry?: () => void;
}

/** Shows when the draft was saved, or why it was not. */
export function DraftStatus({ draft, hasChanges, isInvalid, onTakeTheirs, onRetry }: Props) {
  const { t } = useTranslation(['touchpoints', 'common']);
  const format = useFormat();
  if (draft.isConflict)
    return (
      <Alert color="yellow" role="alert" title={t('draft.changedElsewhere')}>
        <Text size="sm" mb="xs">
          {t('draft.changedBody')}
        </Text>
        <Group gap="xs">
          <Button size="xs" onClick={() => void draft.keepMine()}>
            {t('words.keepMyVersion')}
          </Button>
          <Button size="xs" onClick={onTakeTheirs}>
            {t('words.loadTheirVersion')}
          </Button>
        </Group>
      </Alert>
    );
  const words = draft.saving
    ? t('draft.saving')
    : isInvalid
      ? t('draft.invalid')
      : hasChanges
        ? t('draft.waiting')
        : draft.savedAt && t('common:form.saved', { time: format.time(draft.savedAt) });
  return (
    <>
      <QuietText role="status" mih="1.5em">
        {words}
      </QuietText>
      <ActionError error={draft.error} title={t('common:error.saveFailed')} />
      {draft.error !== null && draft.error !== undefined && onRetry && (
        <Button size="xs" mt="xs" onClick={onRetry}>
          {t('common:actions.retry')}
        </Button>
      )}
    </>
  );
}
