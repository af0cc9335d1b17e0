import { Alert, Button, CloseButton, Progress, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { refresh } from '#web/platform/query-client.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { DisabledWithTooltip } from './disabled-with-tooltip.tsx';
import { useProblemText } from './problem-text.ts';
import { runBatches, runEach, type Batch, type Outcome } from './run-each.ts';
import type { Selection } from './selection.ts';
import classes from './bulk-bar.module.css';

/** An action on several rows at once. */
export interface BulkAction<Row> {
  label: string;
  /** @param isSelected  whether the row with the given id is also selected */
  isFor: (row: Row, isSelected: (id: string) => boolean) => boolean;
  /** Why the action is not possible for any of them. */
  reason: string;
  operation: (row: Row) => Promise<unknown>;
  /** One request for several rows, if supported; `operation` then handles the rows of a rejected request. */
  batch?: Batch<Row>;
  /** Called with the rows for which it succeeded, at least one. */
  onDone: (rows: Row[]) => void;
  isDestructive?: boolean;
  /** Confirmation with the number of rows, for actions that cannot be undone. */
  question?: { title: (count: number) => string; body: string };
}

interface Props<Row> {
  selection: Selection<Row>;
  actions: readonly BulkAction<Row>[];
  idOf: (row: Row) => string;
  /** The organization's id, which is the key of the queries to refresh. */
  owner: string;
}

interface Run {
  label: string;
  done: number;
  total: number;
  /** Whether there are further requests to stop; a single request cannot be stopped halfway. */
  canStop: boolean;
}

/** Bar at the bottom edge while rows are selected: how many, the actions and for how many rows, and what failed. */
export function BulkBar<Row>({ selection, actions, idOf, owner }: Props<Row>) {
  const { t } = useTranslation('lists');
  const [run, setRun] = useState<Run>();
  const [outcome, setOutcome] = useState<Outcome<Row>>();
  const [asked, setAsked] = useState<BulkAction<Row>>();
  const isStopped = useRef(false);
  const { rows } = selection;

  const start = async ({ label, isFor, operation, batch, onDone }: BulkAction<Row>) => {
    const chosen = rows.filter((row) => isFor(row, selection.isSelected));
    const total = chosen.length;
    const onProgress = (done: number) =>
      setRun({ label, done, total, canStop: batch === undefined || done > 0 || total > batch.size });
    isStopped.current = false;
    setOutcome(undefined);
    onProgress(0);
    const options = { onProgress, isStopped: () => isStopped.current };
    const ended = await (batch === undefined
      ? runEach(chosen, operation, options)
      : runBatches(chosen, batch, operation, options));
    await refresh(owner);
    setRun(undefined);
    setOutcome(ended);
    selection.select([...ended.failed.map(({ row }) => row), ...ended.left].map(idOf));
    if (ended.done.length > 0) onDone(ended.done);
  };

  const countFor = ({ isFor }: BulkAction<Row>) =>
    rows.filter((row) => isFor(row, selection.isSelected)).length;
  const isPartial = outcome !== undefined && outcome.failed.length + outcome.left.length > 0;
  if (rows.length === 0 && run === undefined && !isPartial) return null;
  return (
    <div className={classes.bar} role="region" aria-label={t('bulk.label')}>
      {isPartial && (
        <Failures outcome={outcome} nameOf={selection.nameOf} onClose={() => setOutcome(undefined)} />
      )}
      {asked?.question && (
        <ConfirmDialog
          title={asked.question.title(countFor(asked))}
          confirmLabel={asked.label}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => void start(asked)}
        >
          <Text>{asked.question.body}</Text>
        </ConfirmDialog>
      )}
      {run === undefined ? (
        <>
          <Text role="status" fw={500} className={classes.words}>
            {t('bulk.selected', { count: rows.length })}
          </Text>
          {actions.map((action) => (
            <ActionButton
              key={action.label}
              action={action}
              count={countFor(action)}
              onStart={() => (action.question ? setAsked(action) : void start(action))}
            />
          ))}
          <CloseButton aria-label={t('bulk.clear')} onClick={() => selection.select([])} />
        </>
      ) : (
        <>
          <Text fw={500}>{t('bulk.progress', { ...run })}</Text>
          <Progress value={(run.done / run.total) * 100} aria-label={run.label} className={classes.words} />
          {run.canStop && <Button onClick={() => (isStopped.current = true)}>{t('bulk.stop')}</Button>}
        </>
      )}
    </div>
  );
}

interface ActionProps {
  action: Pick<BulkAction<never>, 'label' | 'reason' | 'isDestructive'>;
  count: number;
  onStart: () => void;
}

function ActionButton({ action: { label, reason, isDestructive }, count, onStart }: ActionProps) {
  const { t } = useTranslation('lists');
  return (
    <DisabledWithTooltip
      {...(isDestructive ? { c: 'var(--app-danger)' } : {})}
      reason={count === 0 ? reason : undefined}
      onClick={onStart}
    >
      {count === 0 ? label : t('bulk.action', { action: label, count })}
    </DisabledWithTooltip>
  );
}

interface FailuresProps<Row> {
  outcome: Outcome<Row>;
  nameOf: (row: Row) => string;
  onClose: () => void;
}

/** Lists failed rows by name with the reason; rows of one failed request are grouped. */
function Failures<Row>({ outcome: { done, failed, left }, nameOf, onClose }: FailuresProps<Row>) {
  const { t } = useTranslation(['lists', 'common']);
  const say = useProblemText();
  const format = useFormat();
  const total = done.length + failed.length + left.length;
  const errors = [...new Set(failed.map(({ error }) => error))];
  const namesOf = (reason: unknown) =>
    failed.filter(({ error }) => error === reason).map(({ row }) => nameOf(row));
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title={t('bulk.partly', { done: done.length, total })}
      withCloseButton
      closeButtonLabel={t('common:actions.close')}
      onClose={onClose}
      className={classes.failures}
    >
      <ul className={classes.list}>
        {errors.map((error, index) => (
          <li key={index}>
            <strong>{format.list(namesOf(error))}</strong>: {say(error)}
          </li>
        ))}
        {left.length > 0 && <li>{t('bulk.left', { count: left.length })}</li>}
      </ul>
    </Alert>
  );
}
