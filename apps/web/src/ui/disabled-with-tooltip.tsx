import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { Tooltip } from './tooltip.tsx';

type Props = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & {
    /** Why it cannot be pressed now; undefined when it can. */
    reason: string | undefined;
  };

/** A button that stays where it is when it cannot be used, takes focus, and says why. */
export function DisabledWithTooltip({ reason, ...props }: Props) {
  if (reason === undefined) return <Button {...props} />;
  const { onClick: _onClick, type: _type, ...looks } = props;
  return (
    <Tooltip label={reason} multiline maw={320}>
      <Button
        {...looks}
        type="button"
        data-disabled
        aria-disabled
        aria-description={reason}
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  );
}
