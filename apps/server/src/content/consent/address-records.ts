export { deleteAddressRecords, readAddressRecords, type AddressRecords } from './address-records.queries.ts';
export { insertOptOut } from './opt-outs.queries.ts';
