import { Paper, Text } from '@mantine/core';
import type { Send } from '@reachout/contract/sends.ts';
import type { EmailStats } from '@reachout/contract/statistics.ts';
import type { RecipientState } from '@reachout/contract/statuses.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { fewBelow } from './significance.ts';
import classes from './tiles.module.css';

interface Props {
  stats: EmailStats;
  /** The only send of the email, whose recipients the numbers link to. */
  send: Pick<Send, 'id' | 'touchpoint_id'> | undefined;
}

/** Clicks come first; opens are labeled as an estimate. A rate without a base is shown as a dash. */
export function Tiles({ stats, send }: Props) {
  const { t } = useTranslation(['statistics', 'common']);
  const format = useFormat();
  const rate = (part: number, base: number) => (base === 0 ? t('common:none') : format.percent(part / base));
  const few = stats.delivered > 0 && stats.delivered < fewBelow ? t('tiles.fewData') : undefined;
  const number = (value: number) => format.number(value);
  const botText = (value: number) => (value > 0 ? t('tiles.bots', { count: value }) : undefined);
  const reactions = (what: 'clicks' | 'opens', { unique, bots }: EmailStats['clicked']) => ({
    value: rate(unique, stats.delivered),
    notes: [t(`tiles.${what}`, { count: unique }), botText(bots), few],
  });
  const tiles = [
    {
      key: 'delivered',
      state: 'sent',
      value: number(stats.delivered),
      notes: [t('tiles.ofAttempted', { number: stats.delivered + stats.bounced })],
    },
    { key: 'clickRate', ...reactions('clicks', stats.clicked) },
    { key: 'openRate', ...reactions('opens', stats.opened) },
    {
      key: 'bounced',
      state: 'bounced',
      value: number(stats.bounced),
      notes: [t('tiles.ofAttemptedRate', { rate: rate(stats.bounced, stats.delivered + stats.bounced) })],
    },
    { key: 'unsubscribed', value: number(stats.unsubscribed), notes: [] },
  ] as const;
  return (
    <section aria-label={t('tiles.label')}>
      <dl className={classes.tiles}>
        {tiles.map((tile) => (
          <Paper key={tile.key} withBorder p="md" radius="md" component="div">
            <Text component="dt" size="sm" c="dimmed">
              {t(`tiles.${tile.key}`)}
            </Text>
            <Text component="dd" m={0} className="key-metric">
              {'state' in tile ? (
                <RecipientsLink send={send} state={tile.state}>
                  {tile.value}
                </RecipientsLink>
              ) : (
                tile.value
              )}
            </Text>
            {tile.notes.filter(Boolean).map((note) => (
              <Text key={note} component="dd" m={0} size="xs" c="dimmed">
                {note}
              </Text>
            ))}
          </Paper>
        ))}
      </dl>
      <Text size="xs" c="dimmed" mt="xs">
        {t('tiles.openHint')}
      </Text>
    </section>
  );
}

interface RecipientsLinkProps {
  send: Props['send'];
  state: RecipientState;
  children: ReactNode;
}

/** Link to exactly the recipients that were counted. */
function RecipientsLink({ send, state, children }: RecipientsLinkProps) {
  const { orgId } = useOrganization();
  if (send === undefined) return children;
  return (
    <LinkAnchor
      to="/o/$orgId/touchpoints/$touchpointId/sends/$sendId"
      params={{ orgId, touchpointId: send.touchpoint_id, sendId: send.id }}
      search={{ state }}
      hash="recipients"
      inherit
      c="var(--mantine-color-text)"
    >
      {children}
    </LinkAnchor>
  );
}
