import type { MirroredCollection } from '@reachout/contract/rules/mirrored-collections.ts';

/** A record whose copy must be written. */
export interface Change {
  collection: MirroredCollection;
  id: string;
  /** If the record has another version after its copy was written, the copy is written again. */
  version: number;
  /** The record was deleted or restored: records that belong to it are hidden or shown, too. */
  with_children: boolean;
}
