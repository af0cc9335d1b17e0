import { Group, ActionIcon, Portal, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { Fragment, lazy, useCallback, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkAnchor, type LinkValue } from '#web/platform/links.tsx';
import { loadChunk } from '#web/platform/lazy-chunks.ts';
import { QuietText } from '#web/ui/text.ts';
import { WithPopup } from '#web/ui/with-popup.tsx';
import { useOrganization } from './use-organization.ts';
import classes from './page-header.module.css';

const PopupMenu = lazy(() => loadChunk(() => import('#web/ui/popup-menu.tsx')));

interface Props {
  title: string;
  /** Breadcrumb links, outermost first. They are shown in the header bar. */
  crumbs?: readonly LinkValue[];
  /** Shown before the title: logo or photo of the record. */
  mark?: ReactNode;
  /** Shown beside the title: a status. */
  badge?: ReactNode;
  /** Shown below the title: one line. */
  note?: ReactNode;
  /** The page's primary action. On phones it is a full-width bar at the bottom edge. */
  primary?: ReactNode;
  /** Menu items of the other actions. */
  more?: ReactNode;
  section?: string;
}

export function PageHeader({ title, crumbs = [], mark, badge, note, primary, more, section }: Props) {
  const { t } = useTranslation(['common', 'shell']);
  const { organization } = useOrganization();
  const [head, isTitleOut] = useIsOut();
  useDocumentTitle([title, section, organization.name].filter(Boolean).join(' · '));

  return (
    <>
      <Portal target="#page-crumbs">
        {crumbs.length > 0 || isTitleOut ? (
          <nav aria-label={t('shell:breadcrumb')} className={classes.crumbs}>
            {crumbs.map(({ label, ...link }, index) => (
              <Fragment key={link.to}>
                {index > 0 && <Divider />}
                <span
                  className={classes.crumb}
                  title={label}
                  data-parent={index === crumbs.length - 1 || undefined}
                >
                  <LinkAnchor {...link}>{label}</LinkAnchor>
                </span>
              </Fragment>
            ))}
            {/* The title is shown here once the actual title has scrolled out of view. */}
            {isTitleOut && (
              <>
                {crumbs.length > 0 && <Divider />}
                <span className={classes.here} title={title} aria-current="page">
                  {title}
                </span>
              </>
            )}
          </nav>
        ) : null}
      </Portal>
      <div className={classes.head} ref={head}>
        <div className={classes.words}>
          <Group gap="sm" wrap="wrap">
            {mark}
            <Title order={1}>{title}</Title>
            {badge}
          </Group>
          {note && (
            <QuietText mt={4} component="div">
              {note}
            </QuietText>
          )}
        </div>
        <Group gap="xs" className={classes.actions}>
          {more && (
            <WithPopup kind="menu" popup={(popup) => <PopupMenu {...popup}>{more}</PopupMenu>}>
              <ActionIcon variant="default" size={36} aria-label={t('actions.more')}>
                <IconDots size={18} />
              </ActionIcon>
            </WithPopup>
          )}
          {primary && (
            <div className={classes.primary} data-primary-action>
              {primary}
            </div>
          )}
        </Group>
      </div>
    </>
  );
}

function Divider() {
  return (
    <span className={classes.divider} aria-hidden>
      ›
    </span>
  );
}

/** Height in px of the bar above the page. */
const barHeight = 56;

/** Whether an element has scrolled under the bar. */
function useIsOut(): [ref: (element: HTMLElement | null) => (() => void) | undefined, isOut: boolean] {
  const [isOut, setIsOut] = useState(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) =>
        setIsOut(entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top < barHeight),
      { rootMargin: `-${barHeight}px 0px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isOut];
}
