import { Alert, Button, CopyButton, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCompass,
  IconFilterOff,
  IconLock,
  IconRefresh,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '#web/platform/lazy-part.tsx';
import { isProblem } from '#web/platform/problem.ts';
import { problemDetails, useProblemText } from './problem-text.ts';

/** Lazy, because links would add to the first load of every page. */
const ToLimits = lazyPart(() => import('./to-limits.tsx'));

interface StateProps {
  icon: Icon;
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  /** The heading level: a state that fills a page has the h1. */
  order?: 1 | 2 | 3;
}

function State({ icon: StateIcon, title, text, actions, order = 2 }: StateProps) {
  return (
    <Stack align="center" gap={10} py={48} px="md">
      <ThemeIcon variant="light" size={56} radius="xl">
        <StateIcon size={28} />
      </ThemeIcon>
      <Title order={order} size="h3" ta="center">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" maw={520} ta="center" component="div">
          {text}
        </Text>
      )}
      {actions && (
        <Group mt="xs" justify="center" className="state-actions">
          {actions}
        </Group>
      )}
    </Stack>
  );
}

/** E0: nothing exists yet. Explains what will be listed here and why, and offers the first step. */
export function EmptyState(props: StateProps) {
  return (
    <Paper withBorder radius="md">
      <State {...props} />
    </Paper>
  );
}

/** E1: search or filters match nothing. */
export function NoResults({ text, onClear }: { text: string; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder radius="md">
      <State
        icon={IconFilterOff}
        title={text}
        actions={<Button onClick={onClear}>{t('actions.clearFilters')}</Button>}
      />
    </Paper>
  );
}

/** ER: replaces only the region that failed. */
export function ErrorState({ error, what, onRetry }: { error: unknown; what: string; onRetry?: () => void }) {
  const { t } = useTranslation();
  return (
    <ErrorAlert error={error} title={t('load.failed', { what })}>
      {onRetry && (
        <Button size="xs" leftSection={<IconRefresh size={16} />} onClick={onRetry}>
          {t('actions.retry')}
        </Button>
      )}
    </ErrorAlert>
  );
}

/** A failed action, shown beside its control. */
export function ActionError({ error, title }: { error: unknown; title?: string }) {
  const { t } = useTranslation();
  return error ? <ErrorAlert error={error} title={title ?? t('error.title')} /> : null;
}

/** Why something was refused, in words of the page. Without any there is nothing. */
export function Refusal({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <Alert color="red" role="alert">
      {children}
    </Alert>
  );
}

function ErrorAlert({ error, title, children }: { error: unknown; title: string; children?: ReactNode }) {
  const say = useProblemText();
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={title} role="alert">
      <Stack gap="sm">
        <Text size="sm">{say(error)}</Text>
        <Group gap="xs">
          {children}
          {isProblem(error) && error.code === 'quota_exceeded' && <ToLimits />}
          <CopyDetails error={error} />
        </Group>
      </Stack>
    </Alert>
  );
}

export function CopyDetails({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={problemDetails(error)}>
      {({ copied, copy }) => (
        <Button size="xs" variant="subtle" onClick={copy}>
          {copied ? t('actions.copied') : t('actions.copyDetails')}
        </Button>
      )}
    </CopyButton>
  );
}

interface NotFoundProps {
  actions?: ReactNode;
  /** Shown below the not-found sentence. */
  note?: ReactNode;
  order?: 1 | 2;
}

/** N: missing, deleted or not accessible to the user; deliberately the same for all three. */
export function NotFoundState({ actions, note, order = 1 }: NotFoundProps) {
  const { t } = useTranslation();
  const text = (
    <>
      {t('notFound.body')}
      {note}
    </>
  );
  return <State icon={IconCompass} title={t('notFound.title')} order={order} actions={actions} text={text} />;
}

/** O: not loaded yet, and there is no connection. */
export function OfflineState({ what, order = 2 }: { what: string; order?: 1 | 2 }) {
  const { t } = useTranslation();
  return <State icon={IconRefresh} title={t('connection.later', { what })} order={order} />;
}

/** F: the role lacks the permission. */
export function ForbiddenState({ text, order = 1 }: { text?: string; order?: 1 | 2 }) {
  const { t } = useTranslation();
  return (
    <State icon={IconLock} title={t('forbidden.title')} order={order} text={text ?? t('forbidden.generic')} />
  );
}
