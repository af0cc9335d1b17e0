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
 * One that is to be checked first is read as a whole before anything is stored, and then waits for a person. A worker that
 * stops gives an import back to the queue. One that was given up goes on when its job is retried.
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

/** The file is still coming in. */
export const uploadingImportStatus = 'uploading' satisfies ImportStatus;
/** A worker reads the file, and stores no item. */
export const checkingImportStatus = 'checking' satisfies ImportStatus;
/** Somebody has to say whether it is to be imported. */
export const checkedImportStatus = 'checked' satisfies ImportStatus;
/** A worker has it, or had it when it stopped without a word. */
export const runningImportStatus = 'running' satisfies ImportStatus;

const isEnd = (status: ImportStatus): boolean => status === 'completed' || status === 'failed';

export const openImportStatuses = importStatuses.filter((status) => !isEnd(status));

export const hasImportEnded = ({ status }: { status: ImportStatus }): boolean => isEnd(status);

/** Whether a worker is at it, or will be: its counts change by themselves. */
export const isImportMoving = ({ status }: { status: ImportStatus }): boolean =>
  !isEnd(status) && status !== checkedImportStatus;
