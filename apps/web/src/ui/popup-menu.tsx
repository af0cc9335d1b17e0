import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PopupProps } from './with-popup.tsx';

/** A menu with the given items. */
export default function PopupMenu({ target, children, ...popup }: PopupProps & { children: ReactNode }) {
  return (
    <Menu {...popup}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
