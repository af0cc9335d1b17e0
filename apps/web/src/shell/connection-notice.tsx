import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkConnection, isAway, onConnectionChange, useConnection } from '#web/platform/connection.ts';
import classes from './connection-notice.module.css';

/**
 * Says over every page, dialogs included, that the server cannot be reached, and goes when it can. Loading anew for a
 * newer release is offered, not forced: typed work stays.
 */
export function ConnectionNotice() {
  const { t } = useTranslation();
  const connection = useConnection();
  const isBack = useRefreshWhenBack();
  return (
    // Always there: screen readers say what comes into it.
    <div aria-live="polite" className={classes.place}>
      {connection === 'fine' && isBack && <div className={classes.notice}>{t('connection.back')}</div>}
      {connection !== 'fine' && (
        <div className={classes.notice}>
          <span>{t(texts[connection])}</span>
          {connection === 'away' && (
            <Button size="xs" variant="default" onClick={() => void checkConnection()}>
              {t('actions.retry')}
            </Button>
          )}
          {connection === 'outdated' && (
            <Button size="xs" variant="default" onClick={() => location.reload()}>
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

/** As long as notifications are shown. */
const shownForMs = 3_000;

/**
 * What failed or was not asked for meanwhile is loaded, and what is on screen is brought up to date.
 * @returns whether the connection has just come back
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
