import { sql } from 'kysely';
import type { SystemRows } from './system-rows.queries.ts';

/** Saved views in the form of Directus presets: the shared ones and those of one user. */
export const presetRows = (organizationId: string, userId: string): SystemRows => ({
  fields: [
    { name: 'bookmark', type: 'string' },
    { name: 'user', type: 'uuid' },
    { name: 'role', type: 'uuid' },
    { name: 'collection', type: 'string' },
    { name: 'search', type: 'string' },
    { name: 'filter', type: 'json' },
    { name: 'layout', type: 'string' },
    { name: 'layout_query', type: 'json' },
    { name: 'layout_options', type: 'json' },
    { name: 'refresh_interval', type: 'integer' },
    { name: 'icon', type: 'string' },
    { name: 'color', type: 'string' },
  ],
  rows: sql`
    select p.id::text as id, p.user_id as user_created, p.date_updated as date_created, p.date_updated,
      jsonb_build_object('bookmark', p.bookmark, 'user', p.user_id, 'role', null, 'collection', p.collection,
        'search', p.search, 'filter', p.filter, 'layout', 'tabular',
        'layout_query', jsonb_build_object('tabular', p.layout_query), 'layout_options', null,
        'refresh_interval', null, 'icon', 'bookmark', 'color', null) as data
    from content_presets p
    where p.organization_id = ${organizationId} and (p.user_id is null or p.user_id = ${userId})`,
});
