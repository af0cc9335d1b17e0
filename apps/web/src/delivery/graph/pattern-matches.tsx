import { Group, Stack } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { useSettled } from '#web/ui/debounce.ts';
import { ActionError } from '#web/ui/states.tsx';
import { FinePrint, QuietText } from '#web/ui/text.ts';
import { useFormat } from '#web/i18n/format.ts';
import { idOf, type ConnectionValues } from './connection-values.ts';

const shownValues = 8;

/** Which stored links, pages or names a pattern would have matched. */
export function PatternMatches({ values }: { values: ConnectionValues }) {
  const { t } = useTranslation('eventGraph');
  const format = useFormat();
  const { api, orgId } = useOrganization();
  const { source, event_type: type } = values;
  const event = useSettled(values.event ?? '');
  const query = useQuery(
    api.touchpointEvents.matches.queryOptions({
      input: {
        organization_id: orgId,
        notifier_touchpoint_id: idOf(source),
        event_type: type as 'CLICK',
        ...(event === '' ? {} : { event }),
      },
      placeholderData: keepPreviousData,
    }),
  );
  if (query.error) return <ActionError error={query.error} />;
  if (!query.data) return null;
  const { items, count, matched_count: matched } = query.data;
  if (count === 0) return <QuietText>{t('matches.none')}</QuietText>;
  const shown = items.toSorted((one, other) => Number(other.is_matched) - Number(one.is_matched));
  return (
    <div>
      <QuietText role="status">{t('matches.some', { matched, count })}</QuietText>
      <Stack gap={2} component="ul" className="bare" mt={4} aria-label={t('matches.what')}>
        {shown.slice(0, shownValues).map(({ value, count: times, is_matched: isMatched }) => (
          <Group component="li" key={value} gap={6} wrap="nowrap" align="flex-start">
            {isMatched ? (
              <IconCheck
                size={16}
                role="img"
                aria-label={t('matches.hit')}
                className="status-icon"
                data-tone="green"
              />
            ) : (
              <IconMinus size={16} role="img" aria-label={t('matches.miss')} className="quiet-icon" />
            )}
            <FinePrint className="break">
              {value} · {format.number(times)}
            </FinePrint>
          </Group>
        ))}
      </Stack>
    </div>
  );
}
