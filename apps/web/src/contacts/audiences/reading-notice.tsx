import { Button, Group, Stack, Text } from '@mantine/core';
import type { AudienceReading } from '@reachout/contract/filters.ts';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { QuietText } from '#web/ui/text.ts';
import { useNow } from '#web/ui/use-now.ts';

/** Starts another reading of the contacts. */
export interface ReadContacts {
  start: () => void;
  isStarting: boolean;
}

interface Props {
  reading: AudienceReading;
  /** Equal to the number shown beside it. */
  matched: number;
  /** Undefined if the numbers are read-only. */
  onRead?: ReadContacts | undefined;
}

/** How old the numbers are for contacts in a remote content backend, and how to refresh them. */
export function ReadingNotice({ reading, matched, onRead }: Props) {
  const { t } = useTranslation('audiences');
  const format = useFormat();
  const now = useNow(reading.read_at !== null);
  const { state, read_at, contacts_read, live_count, error_content } = reading;
  const isReading = state === 'reading';
  return (
    <Stack gap={6} mt="sm" pt="sm" style={{ borderTop: '1px solid var(--app-hairline)' }}>
      {read_at === null ? (
        !isReading && <QuietText>{t('reading.never')}</QuietText>
      ) : (
        <QuietText>
          {t('reading.age', { when: format.relative(read_at, new Date(now)) })}
          {live_count !== null && live_count !== matched && ` ${t('reading.live', { count: live_count })}`}
          {live_count === null && ` ${t('reading.away')}`}
        </QuietText>
      )}
      {isReading && (
        <Text size="sm" role="status">
          {t('reading.running', { count: contacts_read })}
        </Text>
      )}
      {error_content !== null && (
        <Text size="sm" c="var(--app-danger)" role="alert">
          {t(isReading ? 'reading.delayed' : 'reading.failed', { reason: error_content })}
        </Text>
      )}
      {onRead && (
        <Group>
          <Button
            size="xs"
            leftSection={<IconRefresh size={14} />}
            loading={onRead.isStarting || isReading}
            onClick={onRead.start}
          >
            {t(read_at === null ? 'reading.read' : 'reading.again')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
