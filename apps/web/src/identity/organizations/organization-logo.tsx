import { Avatar } from '@mantine/core';
import classes from './organization-logo.module.css';

/** Logo, or initials on a plate. A brand or organization is recognized by it everywhere. */
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

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [name.slice(0, 2)];
  return letters
    .map((word) => (word ?? '').slice(0, words.length > 1 ? 1 : 2))
    .join('')
    .toLocaleUpperCase();
}
