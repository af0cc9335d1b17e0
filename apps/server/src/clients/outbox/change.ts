import type { Row } from '../../platform/database/database.ts';

/**
 * A record whose copy must be written. If it has another `version` after that, the copy is written again. `with_children`: it was
 * deleted or restored, and records that belong to it are hidden or shown, too.
 */
export type Change = Row<'content_outbox', 'collection' | 'id' | 'version' | 'with_children'>;
