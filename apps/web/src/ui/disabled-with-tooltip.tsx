import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { Tooltip } from './tooltip.tsx';

type Props = ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> & {
    /** Why the button is disabled; undefined if it is enabled. */
    reason: string | undefined;
  };

/** A button that stays visible and focusable while disabled, and shows the reason. */
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
