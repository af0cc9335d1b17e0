import { CloseButton, SegmentedControl, Text } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { isLocal } from './is-local.ts';
import { QueryTable } from './query-table.tsx';
import { RequestTable } from './request-table.tsx';
import classes from './developer-panel.module.css';

const ForcedStateForm = isLocal(location.hostname)
  ? lazy(() => loadChunk(() => import('./forced-state-form.tsx')))
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
      aria-label={isOpen ? t('title') : undefined}
      onKeyDown={(event) => {
        // Mantine marks what the key closes first, such as an open list of options.
        const isTaken =
          event.target instanceof Element &&
          event.target.getAttribute('data-mantine-stop-propagation') === 'true';
        if (event.key === 'Escape' && !event.defaultPrevented && !isTaken) onClose();
      }}
    >
      {isOpen && (
        <div className={classes.head}>
          <Text component="h2" fw={650}>
            {t('title')}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={t('title')}
            value={view}
            onChange={setView}
            data={shownViews.map((value) => ({ value, label: t(value) }))}
          />
          <CloseButton ml="auto" aria-label={t('common:actions.close')} onClick={onClose} />
        </div>
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
          <Suspense fallback={null}>
            <ForcedStateForm
              isShown={isForcing}
              onOpen={() => {
                setView('states');
                onOpen();
              }}
            />
          </Suspense>
        </div>
      )}
    </section>
  );
}
