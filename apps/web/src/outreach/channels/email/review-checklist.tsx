import { Badge, Paper, Text, Title } from '@mantine/core';
import type { Review } from '@reachout/contract/touchpoints.ts';
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { ProblemList } from '#web/content/templates/problem-list.tsx';
import classes from './review-checklist.module.css';

type Check = Review['checks'][number];

/** Where each point is mended. */
const tabs = {
  subject: 'design',
  sender: 'design',
  sender_domain: 'design',
  template: 'design',
  unsubscribe_link: 'design',
  audience: 'audience',
  daily_limit: 'audience',
  variables: 'preview',
  size: 'design',
  transport: undefined,
} as const satisfies Record<Check['check'], string | undefined>;

const marks = {
  block: <IconX size={18} stroke={2} aria-hidden />,
  warn: <IconAlertTriangle size={18} stroke={1.75} aria-hidden />,
  fine: <IconCheck size={18} stroke={2} aria-hidden />,
  open: <IconMinus size={18} stroke={2} aria-hidden />,
};
const colors = { block: 'red', warn: 'yellow', fine: 'green', open: 'gray' } as const;

/** What cannot be told before there is a template that renders. */
const needsTemplate: readonly Check['check'][] = ['unsubscribe_link', 'variables', 'size'];

export function ReviewChecklist({
  checks,
  dailyLimit,
  touchpointId,
  isCounted,
}: {
  checks: readonly Check[];
  dailyLimit: Review['daily_limit'];
  touchpointId: string;
  /** Whether the audience was counted, which is told only to those who may see contacts. */
  isCounted: boolean;
}) {
  const { t } = useTranslation('touchpoints');
  const { orgId } = useOrganization();
  const format = useFormat();
  const limits = {
    used: format.number(dailyLimit?.used ?? 0),
    limit: format.number(dailyLimit?.limit ?? 0),
  };
  const blocked = checks.filter((check) => check.level === 'block').length;
  const hasTemplate = checks.some((check) => check.check === 'template' && check.level !== 'block');
  return (
    <Paper withBorder p="md" radius="md">
      <Title order={2} size="h3">
        {t('review.checklist')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {blocked === 0 ? t('review.ready') : t('review.blocked', { count: blocked })}
      </Text>
      <ul className={classes.list}>
        {checks.map((check) => {
          const tab = tabs[check.check];
          const isOpen = check.level === 'fine' && !hasTemplate && needsTemplate.includes(check.check);
          const level = isOpen ? 'open' : check.level;
          return (
            <li key={check.check} className={classes.item} data-level={level}>
              <span className={classes.mark}>{marks[level]}</span>
              <div className={classes.words}>
                <Text size="sm" fw={500}>
                  {t(`review.check.${check.check}`)}
                </Text>
                <Text size="sm" c="dimmed">
                  {isOpen
                    ? t('review.needsTemplate')
                    : check.check === 'audience' && level === 'fine' && !isCounted
                      ? t('review.goodHidden')
                      : level === 'fine'
                        ? t(`review.good.${check.check}`, limits)
                        : t(`review.bad.${check.check}`, limits)}
                </Text>
                {check.problems.length > 0 && <ProblemList problems={check.problems} />}
              </div>
              <div className={classes.side}>
                <Badge color={colors[level]} className="status-badge" data-tone={colors[level]}>
                  {t(`review.level.${level}`)}
                </Badge>
                {check.level !== 'fine' && tab && (
                  <LinkAnchor
                    size="sm"
                    to={`/o/$orgId/touchpoints/$touchpointId/${tab}`}
                    params={{ orgId, touchpointId }}
                    aria-label={`${t('review.fix')}: ${t(`review.check.${check.check}`)}`}
                  >
                    {t('review.fix')}
                  </LinkAnchor>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </Paper>
  );
}
