import { listOpen, type Transitions } from './transitions.ts';

export const importStatuses = ['uploading', 'queued', 'running', 'completed', 'failed'] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** A worker that stops gives an import back to the queue. */
export const importTransitions: Transitions<ImportStatus> = {
  uploading: ['queued'],
  queued: ['running'],
  running: ['queued', 'completed', 'failed'],
  completed: [],
  failed: [],
};

export const openImportStatuses = listOpen(importStatuses, importTransitions);
/** A worker has something to do for these (`due_imports`). */
export const workingImportStatuses = openImportStatuses.filter((status) => status !== 'uploading');

export const hasImportEnded = ({ status }: { status: ImportStatus }): boolean =>
  !openImportStatuses.includes(status);
