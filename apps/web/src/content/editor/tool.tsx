import { ActionIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface Props {
  label: string;
  icon: Icon;
  disabled?: boolean;
  /** Of a button that switches something on and off. */
  isOn?: boolean;
  onClick: () => void;
}

/** An icon button that leaves the focus, and what is selected, where it is. */
export function Tool({ label, icon: ToolIcon, disabled = false, isOn, onClick }: Props) {
  return (
    <ActionIcon
      variant={isOn === true ? 'light' : 'subtle'}
      aria-label={label}
      {...(isOn !== undefined && { 'aria-pressed': isOn })}
      title={label}
      disabled={disabled}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <ToolIcon size={18} />
    </ActionIcon>
  );
}
