import { firstRowOf, type Database } from '../../platform/database/database.ts';
import type { SendRef } from './send-ref.ts';

/**
 * Finds the organization, touchpoint and brand of a send, whatever the state of its touchpoint; undefined if there is
 * no such send.
 */
export const findSendByNumber = (db: Database, sendNumber: number) => firstRowOf<SendRef>(db)`
  select organization_id as "organizationId", send_id as "sendId", touchpoint_id as "touchpointId", brand_id as "brandId",
    is_test as "isTest"
  from send_by_number(${sendNumber})
`;
