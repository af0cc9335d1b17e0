import { Avatar } from '@mantine/core';
import { initials } from '#web/ui/initials.ts';
import classes from './organization-logo.module.css';

/** Logo, or initials on a plate. An organization or client is recognized by it everywhere. */
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
