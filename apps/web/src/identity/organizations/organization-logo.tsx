import { Avatar } from '@mantine/core';
import { initials } from '#web/ui/initials.ts';

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
      // Logos are often wide: shown whole, on a white background. Photos of people fill their frame.
      styles={{ image: { padding: 2, objectFit: 'contain', background: '#fff' } }}
      aria-hidden
    >
      {initials(name)}
    </Avatar>
  );
}
