import { Avatar, Text } from '@mantine/core';
import classes from './person.module.css';

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
    <span className={classes.person}>
      <Avatar src={avatar ?? null} alt="" name={name} size={32} color="gray" aria-hidden />
      <span className={classes.words}>
        <span>{note === undefined ? name : `${name} ${note}`}</span>
        {email !== undefined && (
          <Text span size="xs" c="dimmed" className="break">
            {email}
          </Text>
        )}
      </span>
    </span>
  );
}
