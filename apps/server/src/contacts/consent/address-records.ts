export {
  deleteAddressRecords,
  maxResubscriptions,
  readAddressRecords,
  type AddressRecords,
} from './address-records.queries.ts';
export { insertOptOut } from './opt-outs.queries.ts';
