import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkConnection, isAway, onConnectionChange, useConnection } from '#web/platform/connection.ts';
import classes from './connection-notice.module.css';

/**
 * Shown above every page and dialog while the server cannot be reached. Reloading for a newer release is offered, not
 * forced, so that input is not lost.
 */
export function ConnectionNotice() {
  const { t } = useTranslation();
  const connection = useConnection();
  const isBack = useRefreshWhenBack();
  return (
    // Always rendered: screen readers announce changes in it.
    <div aria-live="polite" className={classes.place}>
      {connection === 'fine' && isBack && <div className={classes.notice}>{t('connection.back')}</div>}
      {connection !== 'fine' && (
        <div className={classes.notice}>
          <span>{t(texts[connection])}</span>
          {connection === 'away' && (
            <Button size="xs" onClick={() => void checkConnection()}>
              {t('actions.retry')}
            </Button>
          )}
          {connection === 'outdated' && (
            <Button size="xs" onClick={() => location.reload()}>
              {t('error.reload')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

const texts = {
  offline: 'connection.offline',
  away: 'error.network',
  outdated: 'error.newVersion',
} as const;

/** The same duration as for notifications. */
const shownForMs = 3_000;

/**
 * Reloads what failed or was not requested meanwhile, and refetches what is on screen.
 * @returns whether the connection has just been restored
 */
function useRefreshWhenBack(): boolean {
  const queryClient = useQueryClient();
  const [isBack, setIsBack] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onConnectionChange((now, before) => {
      if (now !== 'fine' || !isAway(before)) return;
      void queryClient.invalidateQueries();
      setIsBack(true);
      clearTimeout(timer);
      timer = setTimeout(() => setIsBack(false), shownForMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queryClient]);
  return isBack;
}
