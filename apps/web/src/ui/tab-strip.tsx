import { Link, useLocation } from '@tanstack/react-router';
import classes from './tab-strip.module.css';

export interface StripTab {
  /** The path of its page. No path starts another's. */
  href: string;
  name: string;
  /** 1-based, where the tabs are steps. */
  number?: number | undefined;
}

/** On a phone the current tab may lie outside of the strip. */
const intoView = (tab: HTMLAnchorElement | null) =>
  tab?.scrollIntoView({ block: 'nearest', inline: 'center' });

const exactly = { exact: true, includeSearch: false };

/** The pages of one section or record, side by side. Walking along them keeps the keyboard in the strip. */
export function TabStrip({ label, tabs }: { label: string; tabs: readonly StripTab[] }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label={label} className={classes.tabs} data-workspace-tabs>
      {tabs.map(({ href, name, number }) => (
        <Link
          key={href}
          ref={pathname.startsWith(href) ? intoView : null}
          to={href}
          className={classes.tab}
          activeOptions={exactly}
          aria-current={pathname.startsWith(href) ? 'page' : undefined}
        >
          {number !== undefined && (
            <span className={classes.number} aria-hidden>
              {number}
            </span>
          )}
          <span className={classes.name} data-name={name}>
            {name}
          </span>
        </Link>
      ))}
    </nav>
  );
}
