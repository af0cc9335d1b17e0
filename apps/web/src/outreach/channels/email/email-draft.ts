import type { TouchpointEmail, TouchpointEmailChanges } from '@reachout/contract/touchpoints.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { isProblem } from '#web/platform/problem.ts';
import { client } from '#web/platform/api.ts';
import { isAway, onConnectionChange, useConnection } from '#web/platform/connection.ts';
import { canRecover, refresh, waitOf } from '#web/platform/query-client.ts';
import { askToSignIn } from '#web/platform/sign-in-needed.ts';

/** While saving fails, it is tried again after this time, or when the server says. */
const retryMs = 5_000;

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
  /**
   * Reports the input of a part of the page that is not stored, with what saves it; undefined if there is none. A newer version
   * does not replace it without confirmation. The part saves it by itself, and again each time that `retries` changes.
   */
  setUnsaved: (part: string, save: (() => Promise<boolean>) | undefined) => void;
  /** Changes when a save that failed can be tried again. */
  retries: number;
  /** Whether a part has input that is not stored. */
  isDirty: boolean;
  /** Whether what is seen is what is stored. Until then, nothing of it can be sent. */
  isStored: boolean;
  /** @returns whether all input of the page is stored now */
  saveAll: () => Promise<boolean>;
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
  const [failure, setFailure] = useState<unknown>();
  const { retries, retry } = useRetries(failure);
  const { unsaved, isDirty, setUnsaved, saveAll } = useUnsaved();
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
    if (!isNewer || unsaved.current.size > 0 || update.isPending) return;
    latest.current = loaded;
    setEmail(loaded);
    setVersion((number) => number + 1);
  }, [loaded, update.isPending, unsaved]);

  const saveNext = async (changes: TouchpointEmailChanges): Promise<TouchpointEmail | undefined> => {
    try {
      return showSaved(
        await update.mutateAsync({ id, ...changes, if_updated_at: latest.current.updated_at }),
      );
    } catch (error) {
      setFailure(error);
      if (isProblem(error, 401))
        void askToSignIn('not_signed_in', false).then((isSignedIn) => isSignedIn && retry());
      if (!isProblem(error) || error.code !== 'changed_elsewhere') return undefined;
      // The response of an earlier attempt may have been lost.
      const stored = await client.touchpoints.getEmail({ id }).catch(() => undefined);
      if (stored !== undefined && isSame(stored, latest.current, changes)) {
        update.reset();
        return showSaved(stored);
      }
      setConflict(true);
      return undefined;
    }
  };
  const showSaved = (saved: TouchpointEmail): TouchpointEmail => {
    show(saved);
    setSavedAt(new Date());
    queries.setQueryData(api.touchpoints.getEmail.queryKey({ input: { id } }), saved);
    void refresh(orgId);
    return saved;
  };
  const changeNext = async (work: () => Promise<unknown>): Promise<TouchpointEmail> => {
    await work();
    return showSaved(await client.touchpoints.getEmail({ id }));
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
    setUnsaved,
    isDirty,
    retries,
    isStored: !isDirty && !isConflict && !update.isPending,
    saveAll,
    keepMine: async () => decide(await readTheirs()),
    takeTheirs: async () => {
      decide(await readTheirs());
      setVersion((number) => number + 1);
    },
    reportConflict: () => setConflict(true),
  };
}

/** Counts when a save that failed can be tried again: after a while, or once there is a connection. */
function useRetries(failure: unknown) {
  const [retries, setRetries] = useState(0);
  const connection = useConnection();
  const retry = useCallback(() => setRetries((number) => number + 1), []);
  useEffect(() => onConnectionChange((now, before) => isAway(before) && !isAway(now) && retry()), [retry]);
  useEffect(() => {
    if (!canRecover(failure) || isAway(connection)) return undefined;
    const timer = setTimeout(retry, Math.max(retryMs, 1_000 * (waitOf(failure) ?? 0)));
    return () => clearTimeout(timer);
  }, [failure, connection, retry]);
  return { retries, retry };
}

/** The parts of the page with input that is not stored, with what saves it. */
function useUnsaved() {
  const unsaved = useRef(new Map<string, () => Promise<boolean>>());
  const [isDirty, setDirty] = useState(false);
  const setUnsaved = useCallback<EmailDraft['setUnsaved']>((part, save) => {
    if (save === undefined) unsaved.current.delete(part);
    else unsaved.current.set(part, save);
    setDirty(unsaved.current.size > 0);
  }, []);
  const saveAll = async () => {
    const saves = [...unsaved.current.values()].map((save) => save());
    return (await Promise.all(saves)).every(Boolean);
  };
  return { unsaved, isDirty, setUnsaved, saveAll };
}

/** Whether a version has exactly these changes. */
function isSame(stored: TouchpointEmail, before: TouchpointEmail, changes: TouchpointEmailChanges): boolean {
  const expected: Record<string, unknown> = { ...before, ...changes };
  return Object.entries(stored).every(
    ([name, value]) => name === 'filter' || name === 'updated_at' || value === expected[name],
  );
}
