import { z } from 'zod';
import { pickErrors } from './errors.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { deleted, id, multiLine, name, timestamp } from './values.ts';

// What emails of a brand are about. Recipients choose by topic, and an email has one or none. The rules: docs/consent.md

/** Maximum number of topics of a brand: the preference page shows all of them. */
export const maxTopics = 20;

export const Topic = z.object({
  id,
  organization_id: id,
  brand_id: id,
  name: z.string(),
  description: z.string(),
  /** Whether addresses that have chosen nothing get its emails. Otherwise only those get them that chose the topic. */
  is_default: z.boolean(),
  /** From 1, within the brand. */
  position: z.number(),
  /**
   * Number of emails with this topic, deleted ones excluded; `maxCountedUses` means that many or more. Null for callers who
   * cannot read touchpoints.
   */
  used_count: z.number().nullable(),
  /** Number of addresses that chose the topic. Null for callers who cannot read consent. */
  subscribed_count: z.number().nullable(),
  /** Number of addresses that declined it. Null for callers who cannot read consent. */
  declined_count: z.number().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Topic = z.infer<typeof Topic>;

const fields = { name, description: multiLine(500), is_default: z.boolean() };

const onBrand = memberOperations('Topics', 'brands');
const onTopic = memberOperations('Topics', 'topics');

export const topics = {
  list: onBrand('GET /brands/{id}/topics', 'The topics of a brand, in their order', 'read Brand', {
    // Counts choices of recipients.
    isExpensive: true,
  }).output({ items: z.array(Topic) }),
  create: onBrand('POST /brands/{id}/topics', 'Add a topic to a brand, as the last one', 'update Brand')
    .input({ ...fields, description: fields.description.default('') })
    .errors({ ...tooManyRecords, ...pickErrors('name_taken') })
    .output(Topic),
  update: onTopic(
    'PATCH /topics/{id}',
    'Change a topic, or its place among those of its brand',
    'update Brand',
  )
    .input({
      ...z.object(fields).partial().shape,
      /** Moves the topics between its former and its new place by one. */
      position: z.int().min(1).max(maxTopics).optional(),
    })
    .errors(pickErrors('name_taken'))
    .output(Topic),
  delete: onTopic(
    'DELETE /topics/{id}',
    'Delete a topic with all choices of recipients about it',
    'update Brand',
  )
    .errors(pickErrors('topic_in_use'))
    .output(deleted),
};
