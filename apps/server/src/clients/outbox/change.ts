import type { MirroredCollection } from '@reachout/contract/rules/mirrored-collections.ts';

/** A record whose copy is to be written. */
export interface Change {
  collection: MirroredCollection;
  id: string;
  /** The copy of another version is written again. */
  version: number;
  /** It was deleted or restored: what belongs to it disappears or comes back, too. */
  with_children: boolean;
}
