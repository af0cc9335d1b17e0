import { Group, Stack, Text } from '@mantine/core';
import { measuredOf } from '@reachout/contract/rules/measured.ts';
import type { Funnel as Numbers } from '@reachout/contract/statistics.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { useMoney } from '#web/identity/organizations/use-money.ts';
import { FinePrint, QuietText, SectionTitle } from '#web/ui/text.ts';
import { useRate } from './use-rate.ts';
import classes from './funnel.module.css';

interface Props {
  numbers: Numbers;
  /** What the numbers are of, before the explanation. */
  scope?: string;
  /** Link to the numbers as a file. */
  file?: ReactNode;
}

/** How many of the delivered messages led to a click, a visit and a conversion. */
export function Funnel({ numbers, scope, file }: Props) {
  const { t } = useTranslation('conversions');
  const { delivered, not_measured } = numbers;
  return (
    <section aria-label={t('funnel.title')}>
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <SectionTitle>{t('funnel.title')}</SectionTitle>
          <QuietText maw={640}>
            {scope} {t('funnel.hint')}
          </QuietText>
        </div>
        {file}
      </Group>
      {delivered === 0 ? (
        <Text c="dimmed">{t('funnel.nothingDelivered')}</Text>
      ) : (
        <>
          <div className={classes.columns}>
            <Steps numbers={numbers} />
            <Conversions numbers={numbers} />
          </div>
          {not_measured > 0 && measuredOf(numbers) === 0 ? (
            <Text size="sm" mt="sm">
              {t('funnel.notMeasured')}
            </Text>
          ) : (
            <Missing numbers={numbers} />
          )}
        </>
      )}
    </section>
  );
}

/** Each bar is as long as its share of the delivered messages. */
function Steps({ numbers }: Pick<Props, 'numbers'>) {
  const { t } = useTranslation('conversions');
  const format = useFormat();
  const rate = useRate();
  const measured = measuredOf(numbers);
  const counts = {
    delivered: numbers.delivered,
    clicked: numbers.clicked,
    visited: numbers.visited,
    converted: numbers.converted,
  };
  const before = {
    clicked: measured,
    visited: counts.clicked,
    converted: counts.visited,
  };
  const steps = ['delivered', 'clicked', 'visited', 'converted'] as const;
  return (
    <Stack component="ol" gap={12} className="bare" aria-label={t('funnel.title')}>
      {steps.map((step) => (
        <li key={step} className={classes.step}>
          <span className="break">{t(`funnel.${step}`)}</span>
          <span className={classes.number}>
            {step !== 'delivered' && measured === 0 ? rate(0, 0) : format.number(counts[step])}
          </span>
          <span className={classes.track} aria-hidden>
            <span
              className={classes.bar}
              data-step={step}
              style={{ inlineSize: `${Math.min(1, counts[step] / counts.delivered) * 100}%` }}
            />
          </span>
          <FinePrint span className={classes.shares}>
            {step === 'delivered'
              ? t('funnel.measuredOfDelivered', { number: format.number(measured) })
              : t(step === 'clicked' ? 'funnel.ofMeasured' : 'funnel.shares', {
                  before: rate(counts[step], before[step]),
                  measured: rate(counts[step], measured),
                })}
          </FinePrint>
        </li>
      ))}
    </Stack>
  );
}

function Conversions({ numbers: { delivered, converted, conversions, conversion_value } }: Props) {
  const { t } = useTranslation(['conversions', 'common']);
  const format = useFormat();
  const money = useMoney();
  const perConverted =
    converted === 0
      ? undefined
      : t('funnel.perConverted', { number: format.decimal(conversions / converted) });
  return (
    <dl className={classes.totals}>
      <div>
        <dt>{t('funnel.conversions')}</dt>
        <dd className="key-metric">{format.number(conversions)}</dd>
        <dd>{perConverted}</dd>
      </div>
      <div>
        <dt>{t('funnel.value')}</dt>
        <dd className="key-metric">{money(conversion_value)}</dd>
        {conversion_value > 0 && (
          <dd>{t('funnel.perMessage', { value: money(conversion_value / delivered) })}</dd>
        )}
      </div>
    </dl>
  );
}

/** Why nothing follows after a click, and where that is changed. */
function Missing({ numbers: { visited, converted } }: Pick<Props, 'numbers'>) {
  const { t } = useTranslation('conversions');
  const { api, orgId, can } = useOrganization();
  const websites = useQuery({
    ...api.campaignsTouchpoints.list.queryOptions({
      input: {
        organization_id: orgId,
        touchpoint_type: 'website',
        touchpoint_status: 'active',
        page_size: 1,
      },
      meta: { quiet: true },
    }),
    enabled: visited === 0 && can('read', 'Touchpoint') && can('read', 'Campaign'),
  });
  if (converted > 0) return null;
  const isTracked = visited > 0 || websites.data === undefined || websites.data.count > 0;
  const missing = !isTracked ? 'noWebsite' : visited === 0 ? 'noVisits' : 'noGoals';
  return (
    <Text size="sm" mt="sm">
      {t(`funnel.${missing}`)}{' '}
      <LinkAnchor
        to="/o/$orgId/touchpoints"
        params={{ orgId }}
        search={{ type: 'website' }}
        underline="always"
        inherit
      >
        {t('funnel.toWebsites')}
      </LinkAnchor>
    </Text>
  );
}
