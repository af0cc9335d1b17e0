export {
  deleteAddressRecords,
  enterChoices,
  maxResubscriptions,
  optOut,
  readAddressRecords,
  type AddressRecords,
} from './choices.queries.ts';
