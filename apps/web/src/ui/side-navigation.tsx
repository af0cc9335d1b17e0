import { Link, type LinkProps } from '@tanstack/react-router';
import type { Icon } from '@tabler/icons-react';
import classes from './side-navigation.module.css';

interface Props {
  label: string;
  entries: readonly { label: string; to: NonNullable<LinkProps['to']>; icon: Icon }[];
}

/** The pages beside the content of one that belongs to no organization. */
export function SideNavigation({ label, entries }: Props) {
  return (
    <nav aria-label={label} className={classes.navigation}>
      <ul className={classes.list}>
        {entries.map(({ label: text, to, icon: EntryIcon }) => (
          <li key={to}>
            <Link to={to} className={classes.entry}>
              <EntryIcon size={18} stroke={1.75} aria-hidden />
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
