import type { LinkProps } from '@tanstack/react-router';
import type { Icon } from '@tabler/icons-react';
import { NavigationLink } from './navigation-link.tsx';
import { Tooltip } from './tooltip.tsx';
import classes from './side-navigation.module.css';

interface Entry {
  label: string;
  href: NonNullable<LinkProps['to']> | ExternalHref;
  icon: Icon;
  external?: boolean;
  /** Why it cannot be used at present. */
  disabled?: string | undefined;
}

/** Pages of the server that are not part of the app. */
type ExternalHref = '/api/docs';

/** The pages beside the content of one that belongs to no organization. */
export function SideNavigation({ label, entries }: { label: string; entries: readonly Entry[] }) {
  return (
    <nav aria-label={label} className={classes.navigation}>
      <ul className={classes.list}>
        {entries.map((entry) => {
          const link = <NavigationLink {...entry} className={classes.entry} />;
          return (
            <li key={entry.href}>
              {entry.disabled === undefined ? (
                link
              ) : (
                <Tooltip label={entry.disabled} multiline maw={320}>
                  {link}
                </Tooltip>
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
