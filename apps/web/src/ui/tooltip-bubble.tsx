import { Tooltip, type TooltipProps } from '@mantine/core';

interface Props extends Pick<TooltipProps, 'label' | 'position' | 'multiline' | 'maw' | 'classNames'> {
  target: HTMLElement;
  opened: boolean;
}

const none = { hover: false, focus: false, touch: false };

/** Shown and hidden by `Tooltip` in tooltip.tsx. */
export default function TooltipBubble(props: Props) {
  return <Tooltip {...props} events={none} />;
}
