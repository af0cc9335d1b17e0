import { Alert, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, retrySecondsOf } from '#web/platform/problem.ts';

export interface Wait {
  /** Seconds left, 0 once another attempt is possible. */
  remaining: number;
  /** The whole wait in seconds, as reported. */
  total: number;
  /** Runs `work` and returns whether it succeeded; a rejection because of too many attempts starts the countdown. */
  run: (work: () => Promise<unknown>) => Promise<boolean>;
  start: (seconds: number) => void;
}

/** @param initial  initial wait in seconds, for actions that were just done */
export function useWait(initial = 0): Wait {
  const [until, setUntil] = useState(() => Date.now() + initial * 1000);
  const [total, setTotal] = useState(initial);
  const [now, setNow] = useState(() => Date.now());
  const remaining = Math.max(0, Math.ceil((until - now) / 1000));
  const isRunning = remaining > 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = (seconds: number) => {
    setNow(Date.now());
    setUntil(Date.now() + seconds * 1000);
    setTotal(seconds);
  };
  const run = async (work: () => Promise<unknown>) => {
    try {
      await work();
      return true;
    } catch (error) {
      const seconds = retrySeconds(error);
      if (seconds === undefined) throw error;
      start(seconds);
      return false;
    }
  };
  return { remaining, total, run, start };
}

/** Shows a countdown; a screen reader announces the wait once. */
export function WaitNotice({ wait }: { wait: Wait }) {
  const say = useWaitText();
  if (wait.remaining === 0) return null;
  return (
    <Alert color="yellow" role="alert">
      <VisuallyHidden>{say(wait.total)}</VisuallyHidden>
      <span aria-hidden>{say(wait.remaining)}</span>
    </Alert>
  );
}

function useWaitText(): (seconds: number) => string {
  const { t } = useTranslation('auth');
  return (seconds) =>
    seconds < 100
      ? t('tooMany.seconds', { count: seconds })
      : t('tooMany.minutes', { count: Math.ceil(seconds / 60) });
}

/** Seconds to wait after too many attempts; undefined for other errors. */
function retrySeconds(error: unknown): number | undefined {
  return isProblem(error, 429) ? (retrySecondsOf(error) ?? 60) : undefined;
}
