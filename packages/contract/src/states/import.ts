import type { Transitions } from './transitions.ts';

export const importStatuses = [
  'uploading',
  'checking',
  'checked',
  'queued',
  'running',
  'completed',
  'failed',
] as const;
export type ImportStatus = (typeof importStatuses)[number];

/**
 * An import that is checked first is read completely before anything is stored, and then waits for a user. A worker that
 * stops returns an import to the queue. An import that was given up continues when its job is retried.
 */
export const importTransitions: Transitions<ImportStatus> = {
  uploading: ['checking', 'queued'],
  checking: ['checked', 'failed'],
  checked: ['queued'],
  queued: ['running'],
  running: ['queued', 'completed', 'failed'],
  completed: [],
  failed: ['checking', 'running'],
};

/** The file is still being uploaded. */
export const uploadingImportStatus = 'uploading' satisfies ImportStatus;
/** A worker reads the file without storing items. */
export const checkingImportStatus = 'checking' satisfies ImportStatus;
/** A user has to decide whether to start the import. */
export const checkedImportStatus = 'checked' satisfies ImportStatus;
/** A worker processes it, or did so when it crashed. */
export const runningImportStatus = 'running' satisfies ImportStatus;

const isEnd = (status: ImportStatus): boolean => status === 'completed' || status === 'failed';

export const openImportStatuses = importStatuses.filter((status) => !isEnd(status));

export const hasImportEnded = ({ status }: { status: ImportStatus }): boolean => isEnd(status);

/** Whether a worker processes it now or later, so that its counts change without a user's action. */
export const isImportMoving = ({ status }: { status: ImportStatus }): boolean =>
  !isEnd(status) && status !== checkedImportStatus;
