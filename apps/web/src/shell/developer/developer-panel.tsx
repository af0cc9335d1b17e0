import { Button, CloseButton, Group, SegmentedControl, Table, Text } from '@mantine/core';
import { useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { CopyTextButton } from '#web/ui/copy-text-button.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { isLocal } from './is-local.ts';
import { RequestTable } from './request-table.tsx';
import classes from './developer-panel.module.css';

const ForcedStateForm = isLocal(location.hostname)
  ? lazyPart(() => import('./forced-state-form.tsx'))
  : undefined;

const views = ['queries', 'requests', 'states'] as const;
type View = (typeof views)[number];
const shownViews = views.filter((view) => view !== 'states' || ForcedStateForm !== undefined);

interface Props {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** What the page asks the server, and with what result. It covers nothing but the end of the page. */
export default function DeveloperPanel({ isOpen, onOpen, onClose }: Props) {
  const { t } = useTranslation(['developer', 'common']);
  const [view, setView] = useState<View>('requests');
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    panel.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, [isOpen]);
  const isForcing = isOpen && view === 'states';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from anywhere inside
    <section
      ref={panel}
      tabIndex={-1}
      className={isOpen ? classes.panel : classes.mark}
      aria-label={isOpen ? t('words.developerPanel') : undefined}
      onKeyDown={(event) => {
        // Mantine marks what the key closes first, such as an open list of options.
        const isTaken =
          event.target instanceof Element &&
          event.target.getAttribute('data-mantine-stop-propagation') === 'true';
        if (event.key === 'Escape' && !event.defaultPrevented && !isTaken) onClose();
      }}
    >
      {isOpen && (
        <Group gap="8px 16px" className={classes.head}>
          <Text component="h2" fw={650}>
            {t('words.developerPanel')}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={t('words.developerPanel')}
            value={view}
            onChange={setView}
            data={shownViews.map((value) => ({ value, label: t(value) }))}
          />
          <CloseButton ml="auto" aria-label={t('common:actions.close')} onClick={onClose} />
        </Group>
      )}
      {isOpen && !isForcing && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must reach what scrolls
        <div className={classes.body} role="region" aria-label={t(view)} tabIndex={0}>
          {view === 'queries' ? <QueryTable /> : <RequestTable />}
        </div>
      )}
      {/* Always in this place: forced states end when it goes. */}
      {ForcedStateForm && (
        <div className={isForcing ? classes.body : classes.foot}>
          <ForcedStateForm
            isShown={isForcing}
            onOpen={() => {
              setView('states');
              onOpen();
            }}
          />
        </div>
      )}
    </section>
  );
}

const shownQueries = 100;
const keyLength = 160;

/** The queries of the page, those in use first, as of this second. */
function QueryTable() {
  const { t } = useTranslation(['developer', 'common']);
  const format = useFormat();
  const queryClient = useQueryClient();
  const now = useNow(true);
  const queries = queryClient.getQueryCache().getAll().toSorted(byUse).slice(0, shownQueries);
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('key')}</Table.Th>
          <Table.Th>{t('words.status')}</Table.Th>
          <Table.Th ta="end">{t('age')}</Table.Th>
          <Table.Th ta="end">{t('observers')}</Table.Th>
          <Table.Th />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {queries.map(({ queryHash, queryKey, state }, index) => (
          <Table.Tr key={queryHash}>
            <Table.Td>{queryHash.slice(0, keyLength)}</Table.Td>
            <Table.Td>
              {state.status}, {state.fetchStatus}
            </Table.Td>
            <Table.Td ta="end">
              {state.dataUpdatedAt === 0
                ? t('common:none')
                : `${format.number(Math.max(0, Math.round((now - state.dataUpdatedAt) / 1_000)))} s`}
            </Table.Td>
            <Table.Td ta="end">{queries[index]?.getObserversCount()}</Table.Td>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                <Button
                  size="compact-xs"
                  onClick={() => void queryClient.invalidateQueries({ queryKey, exact: true })}
                >
                  {t('invalidate')}
                </Button>
                <CopyTextButton size="compact-xs" text={queryHash} label={t('words.copyKey')} />
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const byUse = (one: Query, other: Query): number =>
  other.getObserversCount() - one.getObserversCount() || other.state.dataUpdatedAt - one.state.dataUpdatedAt;
