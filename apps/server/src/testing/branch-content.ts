import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';

/** The content of a brand: its own collection of contacts with an import, and a template. */
export interface BranchContent {
  collection: string;
  itemId: string;
  importId: string;
  noteId: string;
  /** A shared saved view. */
  presetId: string;
  fileId: string;
  templateId: string;
}

interface Of {
  organization_id: string;
  client_id: string;
  brand_id: string;
  /** Part of every text. */
  marker: string;
}

export async function buildBranchContent(owner: Database, of: Of): Promise<BranchContent> {
  const { organization_id, client_id, brand_id, marker } = of;
  const collection = `things_${newId().replaceAll('-', '')}`;
  const itemId = newId();
  const noteId = newId();
  const email = `ada@${marker}.example`;
  const inCollection = { organization_id, collection };
  await owner
    .insertInto('content_collections')
    .values({ ...inCollection, client_id, brand_id, label: `Contacts ${marker}`, items_count: 1 })
    .execute();
  await owner
    .insertInto('content_fields')
    .values([
      { ...inCollection, field: 'email', type: 'string' },
      { ...inCollection, field: 'city', type: 'string' },
    ])
    .execute();
  await owner
    .insertInto('content_items')
    .values({ ...inCollection, id: itemId, data: JSON.stringify({ email }) })
    .execute();
  await owner
    .insertInto('content_unique_values')
    .values({ ...inCollection, field: 'email', value: email, item_id: itemId })
    .execute();
  await owner
    .insertInto('content_search_texts')
    .values({ ...inCollection, item_id: itemId, text: email })
    .execute();
  await owner
    .insertInto('content_search_queue')
    .values({ ...inCollection, item_ids: [itemId] })
    .execute();
  await owner
    .insertInto('contact_notes')
    .values({ ...inCollection, contact_id: itemId, id: noteId, text: `Prefers letters ${marker}` })
    .execute();
  const presetId = newId();
  await owner
    .insertInto('content_presets')
    .values({ ...inCollection, id: presetId, bookmark: `View ${marker}`, layout_query: JSON.stringify({}) })
    .execute();
  const fileId = await buildFiles(owner, { ...inCollection, item_id: itemId, marker });
  await owner
    .insertInto('directus_collections')
    .values({
      organization_id,
      collection: `elsewhere_${noteId.replaceAll('-', '')}`,
      client_id,
      brand_id,
      label: `People ${marker}`,
      key_type: 'uuid',
      fields: JSON.stringify([]),
    })
    .execute();
  await owner
    .insertInto('deleted_collections')
    .values({ organization_id, collection: `gone_${collection}` })
    .execute();
  await buildReading(owner, {
    organization_id,
    collection: `elsewhere_${noteId.replaceAll('-', '')}`,
    marker,
  });
  const importId = await buildImport(owner, { ...inCollection, marker });
  return {
    collection,
    itemId,
    importId,
    noteId,
    presetId,
    fileId,
    templateId: await buildTemplate(owner, of),
  };
}

/** Stores the reading of an audience from an external content backend. */
async function buildReading(
  owner: Database,
  { marker, ...of }: { organization_id: string; collection: string; marker: string },
): Promise<void> {
  const id = newId();
  await owner
    .insertInto('audience_readings')
    .values({
      ...of,
      id,
      endpoint: `https://${marker}.example`,
      rule: JSON.stringify({}),
      fields: ['email'],
      rule_hash: '0'.repeat(64),
    })
    .execute();
  await owner
    .insertInto('audience_reading_contacts')
    .values({
      organization_id: of.organization_id,
      reading_id: id,
      id: newId(),
      pass: 1,
      data: JSON.stringify({ email: `dora@${marker}.example` }),
    })
    .execute();
}

/** Stores a file and a share of the contact. @returns the id of the file */
async function buildFiles(
  owner: Database,
  {
    organization_id,
    collection,
    item_id,
    marker,
  }: { organization_id: string; collection: string; item_id: string; marker: string },
): Promise<string> {
  const id = newId();
  const { user_id: user_created } = await owner
    .selectFrom('organization_users')
    .select('user_id')
    .where('organization_id', '=', organization_id)
    .limit(1)
    .executeTakeFirstOrThrow();
  await owner
    .insertInto('content_files')
    .values({
      organization_id,
      id,
      filename_download: `${marker}.png`,
      type: 'image/png',
      filesize: 1,
      user_created,
    })
    .execute();
  await owner
    .insertInto('content_shares')
    .values({ organization_id, id: newId(), collection, item_id, name: `Share ${marker}`, user_created })
    .execute();
  return id;
}

async function buildImport(
  owner: Database,
  { organization_id, collection, marker }: { organization_id: string; collection: string; marker: string },
): Promise<string> {
  const id = newId();
  const ofImport = { organization_id, import_id: id };
  await owner
    .insertInto('content_imports')
    .values({
      id,
      organization_id,
      collection,
      file_name: `people of ${marker}.csv`,
      settings: JSON.stringify({}),
      status: 'completed',
    })
    .execute();
  await owner
    .insertInto('jobs')
    .values({ organization_id, id: newId(), kind: 'test', key: id, due_at: '2100-01-01T00:00:00Z' })
    .execute();
  await owner
    .insertInto('content_import_parts')
    .values({ ...ofImport, first_byte: 0, bytes: Buffer.from('email\n') })
    .execute();
  await owner
    .insertInto('content_import_rejections')
    .values({
      ...ofImport,
      kind: 'rejected',
      line: 2,
      end_byte: 6,
      error: JSON.stringify({ code: 'not_an_address', values: {} }),
      record: JSON.stringify({}),
    })
    .execute();
  return id;
}

async function buildTemplate(
  owner: Database,
  { organization_id, client_id, brand_id, marker }: Of,
): Promise<string> {
  const collection = 'reachout_templates';
  const id = newId();
  const fields = {
    title: 'string',
    name: 'string',
    template_type: 'string',
    mjml: 'text',
    client: 'uuid',
    brand: 'uuid',
  };
  // The organization may already have them.
  await owner
    .insertInto('content_collections')
    .values({ organization_id, collection, items_count: 1, hidden: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await owner
    .insertInto('content_fields')
    .values(Object.entries(fields).map(([field, type]) => ({ organization_id, collection, field, type })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await owner
    .insertInto('content_items')
    .values({
      organization_id,
      collection,
      id,
      data: JSON.stringify({
        title: `Plain ${marker}`,
        name: `plain-${marker}`,
        template_type: 'email',
        mjml: '<mjml><mj-body></mj-body></mjml>',
        client: client_id,
        brand: brand_id,
      }),
    })
    .execute();
  return id;
}
