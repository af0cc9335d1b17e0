import { ActionIcon, Button, Group, Pill, SegmentedControl, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Occurrence } from '@reachout/contract/schedules.ts';
import { IconCalendarEvent, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandSelect } from '#web/clients/brands/brand-select.tsx';
import { useFormat } from '#web/i18n/format.ts';
import { PageHeader } from '#web/identity/organizations/page-header.tsx';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { loadForSchedules } from '#web/outreach/schedules/load-for-schedules.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { compact } from '#web/platform/list-search.ts';
import { AsyncRegion } from '#web/ui/async-region.tsx';
import { Loading } from '#web/ui/skeletons.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { QuietText, SectionTitle } from '#web/ui/text.ts';
import { useNow } from '#web/ui/use-now.ts';
import { CalendarAgenda } from './calendar-agenda.tsx';
import { CalendarGrid } from './calendar-grid.tsx';
import { findClose, shiftPeriod, type Day } from './calendar-period.ts';
import { occurrencesQuery, periodOf, phone, type CalendarPeriod } from './calendar-query.ts';
import { calendarViews, type CalendarSearch } from './calendar-search.ts';
import classes from './calendar.module.css';

// Lazy: it needs the rules of repetition, which are large.
const ChangeTime = lazyPart(async () => {
  const load = () => import('#web/outreach/schedules/change-time.tsx');
  const { ChangeTime: dialog } = await loadForSchedules(load);
  return { default: dialog };
});

/** What was sent and what is to come, by day, in the user's time zone. */
export function Calendar({ search }: { search: CalendarSearch }) {
  const { t } = useTranslation('schedules');
  const { locale } = useFormat();
  const isPhone = useMediaQuery(phone, false, { getInitialValueInEffect: false });
  const period = periodOf(search, isPhone, locale);
  const query = useQuery(occurrencesQuery(useOrganization(), search, period.days));
  const [changing, setChanging] = useState<Occurrence>();
  const View = period.view === 'agenda' ? CalendarAgenda : CalendarGrid;
  const parts = { period, onChangeTime: setChanging };
  return (
    <>
      <PageHeader title={t('words.calendar')} />
      <Toolbar search={search} period={period} />
      {query.isPending && query.fetchStatus !== 'paused' ? (
        <Loading what={t('calendar.what')}>
          <Text size="sm" mb="sm">
            &nbsp;
          </Text>
          <View {...parts} entries={[]} close={new Set()} isLoading />
        </Loading>
      ) : (
        <AsyncRegion query={query} what={t('calendar.what')} skeleton={null}>
          {({ items, is_cut: isCut }) => <Entries {...parts} items={items} isCut={isCut} search={search} />}
        </AsyncRegion>
      )}
      {changing?.schedule_id && (
        <ChangeTime
          touchpoint={changing.touchpoint}
          scheduleId={changing.schedule_id}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  );
}

interface EntriesProps {
  period: CalendarPeriod;
  items: Occurrence[];
  isCut: boolean;
  search: CalendarSearch;
  onChangeTime: (entry: Occurrence) => void;
}

function Entries({ period, items, isCut, search: { brand, campaign }, onChangeTime }: EntriesProps) {
  const { t } = useTranslation('schedules');
  const now = useNow(false);
  const close = findClose(items, now);
  const isFiltered = brand !== undefined || campaign !== undefined;
  if (items.length === 0 && period.view === 'agenda')
    return (
      <EmptyState
        icon={IconCalendarEvent}
        title={t('calendar.emptyTitle')}
        text={t(isFiltered ? 'calendar.emptyFiltered' : 'calendar.emptyBody')}
      />
    );
  const View = period.view === 'agenda' ? CalendarAgenda : CalendarGrid;
  const sentences =
    items.length === 0
      ? [t(isFiltered ? 'calendar.emptyFiltered' : 'calendar.emptyTitle')]
      : isCut
        ? [t('calendar.cut', { count: items.length })]
        : [t('calendar.emails', { count: items.length })];
  if (close.size > 0) sentences.push(t('calendar.close', { count: close.size }));
  return (
    <>
      <QuietText mb="sm" role="status">
        {sentences.join(' · ')}
      </QuietText>
      <View period={period} entries={items} close={close} isLoading={false} onChangeTime={onChangeTime} />
    </>
  );
}

function Toolbar({ search, period }: { search: CalendarSearch; period: CalendarPeriod }) {
  const { t } = useTranslation('schedules');
  const navigate = useNavigate();
  const change = (changes: { [K in keyof CalendarSearch]: CalendarSearch[K] | undefined }) =>
    void navigate({ to: '.', search: (old: object) => compact({ ...old, ...changes }) as never });
  const { view, date, today } = period;
  const goTo = (day: Day) => change({ date: day === today ? undefined : day });
  return (
    <Group gap="8px 16px" mb={12}>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('calendar.previous')}
          onClick={() => goTo(shiftPeriod(view, date, -1))}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <Button onClick={() => goTo(today)}>{t('calendar.today')}</Button>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('calendar.next')}
          onClick={() => goTo(shiftPeriod(view, date, 1))}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </Group>
      <PeriodTitle period={period} />
      <Group gap={8} className={classes.filters}>
        {search.campaign !== undefined && (
          <ChosenCampaign id={search.campaign} onRemove={() => change({ campaign: undefined })} />
        )}
        <BrandFilter value={search.brand} onChange={(brand) => change({ brand })} />
        <SegmentedControl
          aria-label={t('words.view')}
          value={view}
          onChange={(next) => change({ view: next })}
          data={calendarViews.map((value) => ({ value, label: t(`calendar.views.${value}`) }))}
        />
      </Group>
    </Group>
  );
}

/** "March 2027", or the first and the last day. */
function PeriodTitle({ period: { view, date, days } }: { period: CalendarPeriod }) {
  const { locale } = useFormat();
  const utc = { timeZone: 'UTC' } as const;
  const title =
    view === 'month'
      ? new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', ...utc }).format(new Date(date))
      : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...utc }).formatRange(
          new Date(days[0]!),
          new Date(days.at(-1)!),
        );
  return (
    <SectionTitle className={classes.period} aria-live="polite">
      {title}
    </SectionTitle>
  );
}

interface BrandFilterProps {
  value: string | undefined;
  onChange: (brand: string | undefined) => void;
}

function BrandFilter({ value, onChange }: BrandFilterProps) {
  const { t } = useTranslation('schedules');
  const { api, orgId, clientId, can } = useOrganization();
  const { data } = useQuery(
    api.clientsBrands.list.queryOptions({
      input: compact({ organization_id: orgId, client_id: clientId, page: 0, page_size: 500 }),
      enabled: can('read', 'Brand'),
      meta: { quiet: true },
    }),
  );
  return (
    <BrandSelect
      clearable
      w={200}
      aria-label={t('words.brand')}
      placeholder={t('words.allBrands')}
      clients={data?.items ?? []}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

/** Chosen by the link on the page of the campaign. */
function ChosenCampaign({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t } = useTranslation('schedules');
  const { api } = useOrganization();
  const { data } = useQuery(api.campaigns.get.queryOptions({ input: { id }, meta: { quiet: true } }));
  return (
    <Pill
      size="lg"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': t('calendar.anyCampaign'), 'aria-hidden': false, tabIndex: 0 }}
    >
      {t('calendar.ofCampaign', { name: data?.name ?? '…' })}
    </Pill>
  );
}
