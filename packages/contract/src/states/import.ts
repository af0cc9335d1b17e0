import type { Transitions } from './transitions.ts';

export const importStatuses = ['uploading', 'queued', 'running', 'completed', 'failed'] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** A worker that stops gives an import back to the queue. One that was given up goes on when its job is retried. */
export const importTransitions: Transitions<ImportStatus> = {
  uploading: ['queued'],
  queued: ['running'],
  running: ['queued', 'completed', 'failed'],
  completed: [],
  failed: ['running'],
};

/** The file is still coming in. */
export const uploadingImportStatus = 'uploading' satisfies ImportStatus;
/** A worker has it, or had it when it stopped without a word. */
export const runningImportStatus = 'running' satisfies ImportStatus;

export const openImportStatuses = importStatuses.filter(
  (status) => !['completed', 'failed'].includes(status),
);

export const hasImportEnded = ({ status }: { status: ImportStatus }): boolean =>
  !openImportStatuses.includes(status);
