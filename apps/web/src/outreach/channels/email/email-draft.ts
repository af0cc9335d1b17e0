import type { TouchpointEmail, TouchpointEmailChanges } from '@reachout/contract/touchpoints.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { isProblem } from '#web/platform/problem.ts';
import { client } from '#web/platform/api.ts';
import { refresh } from '#web/platform/query-client.ts';

export interface EmailDraft {
  /** The stored version, as far as this page knows. */
  email: TouchpointEmail;
  /** Changes when the version does not come from this page, so that forms reset. */
  version: number;
  saving: boolean;
  /** Time of the last save on this page. */
  savedAt: Date | undefined;
  /** Why the last change was not saved. */
  error: unknown;
  /** Whether another user has changed it meanwhile: nothing is saved until the user decides. */
  isConflict: boolean;
  /** Saves over the version that this page shows, one change at a time. @returns undefined if it failed */
  save: (changes: TouchpointEmailChanges) => Promise<TouchpointEmail | undefined>;
  /**
   * Runs a change that also changes the stored email, such as another collection of the touchpoint, between two changes of
   * this page. @throws what it throws
   */
  changeAround: (work: () => Promise<unknown>) => Promise<void>;
  /** Reports unsaved input in forms, which a newer version does not replace without confirmation. */
  setDirty: (isDirty: boolean) => void;
  /** Accepts the other user's version as the one to overwrite. */
  keepMine: () => Promise<void>;
  takeTheirs: () => Promise<void>;
  /** Reports that unsaved input restored in this tab was based on another version than the stored one. */
  reportConflict: () => void;
}

/** One draft shared by all parts of a page: they overwrite each other's versions, but never another user's. */
export function useEmailDraft(loaded: TouchpointEmail): EmailDraft {
  const { api, orgId } = useOrganization();
  const queries = useQueryClient();
  const [email, setEmail] = useState(loaded);
  const [version, setVersion] = useState(0);
  const [savedAt, setSavedAt] = useState<Date>();
  const [isConflict, setConflict] = useState(false);
  const latest = useRef(loaded);
  const isDirty = useRef(false);
  const queue = useRef<Promise<TouchpointEmail | undefined>>(Promise.resolve(undefined));
  // Updates the cached version before any refetch.
  const update = useMutation(api.touchpoints.updateEmail.mutationOptions({ meta: { refreshes: false } }));
  const id = loaded.touchpoint_id;
  const show = (next: TouchpointEmail) => {
    latest.current = next;
    setEmail(next);
  };

  useEffect(() => {
    const isNewer = Date.parse(loaded.updated_at) > Date.parse(latest.current.updated_at);
    if (!isNewer || isDirty.current || update.isPending) return;
    latest.current = loaded;
    setEmail(loaded);
    setVersion((number) => number + 1);
  }, [loaded, update.isPending]);

  const saveNext = async (changes: TouchpointEmailChanges): Promise<TouchpointEmail | undefined> => {
    try {
      const saved = await update.mutateAsync({ id, ...changes, if_updated_at: latest.current.updated_at });
      show(saved);
      setSavedAt(new Date());
      queries.setQueryData(api.touchpoints.getEmail.queryKey({ input: { id } }), saved);
      void refresh(orgId);
      return saved;
    } catch (error) {
      if (isProblem(error) && error.code === 'changed_elsewhere') setConflict(true);
      return undefined;
    }
  };
  const changeNext = async (work: () => Promise<unknown>): Promise<TouchpointEmail> => {
    await work();
    const stored = await client.touchpoints.getEmail({ id });
    show(stored);
    queries.setQueryData(api.touchpoints.getEmail.queryKey({ input: { id } }), stored);
    setSavedAt(new Date());
    void refresh(orgId);
    return stored;
  };
  const readTheirs = () =>
    queries.fetchQuery(api.touchpoints.getEmail.queryOptions({ input: { id }, staleTime: 0 }));
  const decide = (theirs: TouchpointEmail) => {
    show(theirs);
    setConflict(false);
    update.reset();
  };

  return {
    email,
    version,
    savedAt,
    isConflict,
    saving: update.isPending,
    error: isConflict ? undefined : update.error,
    save: (changes) => {
      queue.current = queue.current.then(() => saveNext(changes));
      return queue.current;
    },
    changeAround: async (work) => {
      const change = queue.current.then(() => changeNext(work));
      queue.current = change.catch(() => undefined);
      await change;
    },
    setDirty: (dirty) => {
      isDirty.current = dirty;
    },
    keepMine: async () => decide(await readTheirs()),
    takeTheirs: async () => {
      decide(await readTheirs());
      setVersion((number) => number + 1);
    },
    reportConflict: () => setConflict(true),
  };
}
