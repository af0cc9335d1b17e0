import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GoneRow } from './data-table.tsx';
import { notify } from './notify.tsx';

interface Deletion {
  id: string;
  name: string;
  index: number;
  remove: () => Promise<unknown>;
  restore: () => Promise<unknown>;
}

/**
 * Soft deletion without a question: the row becomes a line with Undo, and comes back if the server refuses.
 * `error` is the refusal of the last try, to be shown above the list.
 */
export function useGoneRows(refresh: () => Promise<unknown>) {
  const { t } = useTranslation();
  const [gone, setGone] = useState<GoneRow[]>([]);
  const [error, setError] = useState<unknown>();
  const bringBack = (id: string) => setGone((rows) => rows.filter((row) => row.id !== id));

  const undo = async (deletion: Deletion) => {
    try {
      await deletion.restore();
      await refresh();
      bringBack(deletion.id);
      notify(t('restored', { what: deletion.name }));
    } catch (caught) {
      setError(caught);
    }
  };

  const remove = async (deletion: Deletion) => {
    setError(undefined);
    setGone((rows) => [
      ...rows,
      {
        id: deletion.id,
        index: deletion.index,
        text: t('deleted', { what: deletion.name }),
        onUndo: () => void undo(deletion),
      },
    ]);
    try {
      await deletion.remove();
      await refresh();
    } catch (caught) {
      bringBack(deletion.id);
      setError(caught);
    }
  };

  return { gone, error, remove };
}
