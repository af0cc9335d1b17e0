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
  /** Undefined while no record of the list is open. */
  record: ReactNode;
}

/** A list and, beside it, the record that is open; where there is no room for both, only the record. */
export function ListBeside({ panel, list, record, ...limits }: Props) {
  const hasRoom = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
  if (record === undefined) return list;
  if (!hasRoom) return record;
  const isList = panel === 'list';
  const side = (
    <SidePanel {...limits} side={isList ? 'start' : 'end'}>
      {isList ? <div data-beside>{list}</div> : record}
    </SidePanel>
  );
  return (
    <div className={panels.beside}>
      {isList && side}
      <div data-beside={!isList || undefined}>{isList ? record : list}</div>
      {!isList && side}
    </div>
  );
}
