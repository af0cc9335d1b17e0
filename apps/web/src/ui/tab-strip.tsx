import { NativeSelect } from '@mantine/core';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import classes from './tab-strip.module.css';

export interface StripTab {
  /** Path of the tab's page. No path is a prefix of another. */
  href: string;
  name: string;
}

/** On phones the current tab may be outside the visible part of the strip. */
const intoView = (tab: HTMLAnchorElement | null) =>
  tab?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** Phones show more tabs than these as a list to choose from. */
const maxPhoneTabs = 6;

const exactly = { exact: true, includeSearch: false };

/** Tabs for the pages of a section or record. The keyboard focus stays in the strip while moving between them. */
export function TabStrip({ label, tabs }: { label: string; tabs: readonly StripTab[] }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const isLong = tabs.length > maxPhoneTabs;
  const strip = (
    <nav aria-label={label} className={classes.tabs} data-long={isLong || undefined} data-workspace-tabs>
      {tabs.map(({ href, name }) => (
        <Link
          key={href}
          ref={pathname.startsWith(href) ? intoView : null}
          to={href}
          className={classes.tab}
          activeOptions={exactly}
          aria-current={pathname.startsWith(href) ? 'page' : undefined}
        >
          <span className={classes.name} data-name={name}>
            {name}
          </span>
        </Link>
      ))}
    </nav>
  );
  if (!isLong) return strip;
  return (
    <>
      <NativeSelect
        className={classes.select}
        aria-label={label}
        value={tabs.find(({ href }) => pathname.startsWith(href))?.href}
        data={tabs.map(({ href, name }) => ({ value: href, label: name }))}
        onChange={({ currentTarget }) => void navigate({ to: currentTarget.value })}
      />
      {strip}
    </>
  );
}
