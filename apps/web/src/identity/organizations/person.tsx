import { Avatar, Group, Stack } from '@mantine/core';
import { FinePrint } from '#web/ui/text.ts';

/** A person with photo or initials, name and email address. */
export function Person({
  name,
  email,
  avatar,
  note,
}: {
  name: string;
  email?: string | undefined;
  avatar?: string | null;
  /** Shown after the name: "(you)". */
  note?: string | undefined;
}) {
  return (
    <Group component="span" gap={10} wrap="nowrap" miw={0}>
      <Avatar src={avatar ?? null} alt="" name={name} size={32} color="gray" aria-hidden />
      <Stack component="span" gap={0} miw={0} lh={1.3}>
        <span>{note === undefined ? name : `${name} ${note}`}</span>
        {email !== undefined && (
          <FinePrint span className="break">
            {email}
          </FinePrint>
        )}
      </Stack>
    </Group>
  );
}
