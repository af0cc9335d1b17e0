import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import panels from '#web/ui/resizable.module.css';
import { SidePanel } from './side-panel.tsx';

interface Props {
  /** Whose width is stored under this name. */
  name: string;
  label: string;
  min: number;
  max: number;
  initial: number;
  /** Which of the two is the panel; the other one gets the rest of the width. */
  panel: 'list' | 'record';
  list: ReactNode;
  /** Undefined while no record of the list is open. A function gets whether it is shown beside the list. */
  record: ReactNode | ((isBeside: boolean) => ReactNode);
}

/** A list and, beside it, the record that is open; where there is no room for both, only the record. */
export function ListBeside({ panel, list, record, ...limits }: Props) {
  const hasRoom = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  if (record === undefined) return list;
  const open = typeof record === 'function' ? record(hasRoom) : record;
  if (!hasRoom) return open;
  const isList = panel === 'list';
  const side = (
    <SidePanel {...limits} side={isList ? 'start' : 'end'}>
      {isList ? <div data-beside>{list}</div> : open}
    </SidePanel>
  );
  return (
    <div className={panels.beside}>
      {isList && side}
      <div data-beside={!isList || undefined}>{isList ? open : list}</div>
      {!isList && side}
    </div>
  );
}
