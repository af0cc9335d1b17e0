import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { liftableReasons } from '@reachout/contract/statuses.ts';
import type { SuppressionLift } from '@reachout/contract/suppressions.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, useTimeZone } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { boundsOf } from '#web/platform/bounds-of.ts';
import { readChoice } from '#web/platform/list-search.ts';
import { isProblem } from '#web/platform/problem.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { notify } from '#web/ui/notify.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useRecordForm } from '#web/ui/use-record-form.ts';
import { liftsQuery, suppressionCriteria, type SuppressionSearch } from './suppression-search.ts';

interface Props {
  search: SuppressionSearch;
  /** How many of the suppressions that the filters find can be lifted, and how many there are. */
  liftable: number;
  count: number;
  /** Loads these numbers again. */
  onChanged: () => void;
}

/** Says how many of the listed suppressions can be lifted together, and does so after a confirmation. */
export function LiftSuppressions({ search, liftable, count, onChanged }: Props) {
  const { t } = useTranslation('consent');
  const { can } = useOrganization();
  const [isOpen, setOpen] = useState(false);
  // A lift has no search: its criteria are kept, and must not name a person.
  const isOffered = can('delete', 'Consent') && liftable > 0 && search.search === undefined;
  return (
    <>
      {isOffered && (
        <Group mb="md" gap="sm" justify="space-between">
          <Text size="sm" maw={640}>
            {t('lift.offer', { count: liftable, all: count })}{' '}
            {count > liftable && t('lift.others', { count: count - liftable })}
          </Text>
          <Button onClick={() => setOpen(true)}>{t('lift.open', { count: liftable })}</Button>
        </Group>
      )}
      {isOpen && (
        <LiftDialog
          search={search}
          liftable={liftable}
          onChanged={onChanged}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface DialogProps extends Omit<Props, 'count'> {
  onClose: () => void;
}

function LiftDialog({ search, liftable, onChanged, onClose }: DialogProps) {
  const { t } = useTranslation(['consent', 'common']);
  const format = useFormat();
  const timeZone = useTimeZone();
  const { api, orgId } = useOrganization();
  const lift = useMutation(api.suppressions.lift.mutationOptions());
  const { reason, ...criteria } = suppressionCriteria(search, timeZone);
  const liftableReason = readChoice(reason, liftableReasons);
  const form = useRecordForm(boundsOf('suppressions.lift'), {
    fields: { basis: { label: t('lift.basis'), hint: t('lift.basisHint'), kind: 'multi-line' } },
    save: async ({ basis }) => {
      const { finished_at, lifted_count } = await lift
        .mutateAsync({
          organization_id: orgId,
          ...criteria,
          ...(liftableReason && { reason: liftableReason }),
          expected_count: liftable,
          basis,
        })
        .catch((error: unknown) => {
          if (isProblem(error) && error.code === 'suppressions_changed') onChanged();
          throw error;
        });
      if (finished_at !== null) notify(t('lift.done', { count: lifted_count }));
      onClose();
    },
  });
  const lines = [
    t('lift.reasons', {
      reasons: format.list(
        (liftableReason === undefined ? liftableReasons : [liftableReason]).map((each) =>
          t(`list.reasons.${each}`),
        ),
      ),
    }),
    ...(criteria.send_id === undefined ? [] : [t('lift.ofSend')]),
    ...(criteria.from === undefined ? [] : [t('lift.from', { at: format.dateTime(criteria.from) })]),
    ...(criteria.to === undefined ? [] : [t('lift.to', { at: format.dateTime(criteria.to) })]),
  ];
  return (
    <Dialog onClose={onClose} title={t('lift.title', { count: liftable })}>
      <Form form={form} submitLabel={t('lift.submit', { count: liftable })} onCancel={onClose}>
        <Text>{t('lift.body')}</Text>
        <ul className="plain-list">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <QuietText>{t('lift.sends')}</QuietText>
        <RecordFields form={form} isFocused />
      </Form>
    </Dialog>
  );
}

/** The lift in progress, or the latest one of this day. */
export function LatestLift() {
  const { t } = useTranslation('consent');
  const format = useFormat();
  const scope = useOrganization();
  const { data } = useQuery(liftsQuery(scope));
  const running = data?.items.find(({ finished_at: finishedAt }) => finishedAt === null);
  const shown = running ?? data?.items[0];
  if (shown === undefined || shown.total_count === 0) return null;
  if (shown.finished_at === null)
    return (
      <Alert color="marine" mb="md" role="status">
        <Stack gap="xs">
          <Text size="sm">{t('lift.running', numbersOf(shown))}</Text>
          <Progress
            value={(shown.lifted_count / shown.total_count) * 100}
            aria-label={t('lift.running', numbersOf(shown))}
          />
        </Stack>
      </Alert>
    );
  return (
    <QuietText mb="md">
      {t(shown.by === null ? 'lift.latest' : 'lift.latestBy', {
        ...numbersOf(shown),
        when: format.relative(shown.created_at),
        name: shown.by?.full_name ?? '',
        basis: shown.basis,
      })}
    </QuietText>
  );
}

const numbersOf = ({ lifted_count, total_count }: SuppressionLift) => ({
  count: lifted_count,
  total: total_count,
});
