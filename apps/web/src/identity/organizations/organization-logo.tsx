import { Avatar } from '@mantine/core';
import { initials } from '#web/ui/initials.ts';
import classes from './organization-logo.module.css';

/** The logo, or initials on a background, of an organization or client. */
export function Logo({ name, logo, size = 28 }: { name: string; logo?: string | null; size?: number }) {
  return (
    <Avatar
      src={logo ?? null}
      alt=""
      size={size}
      radius="xs"
      color="marine"
      variant="light"
      className="mark"
      classNames={{ image: classes.logo ?? '' }}
      aria-hidden
    >
      {initials(name)}
    </Avatar>
  );
}
