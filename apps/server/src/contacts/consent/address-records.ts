export {
  deleteAddressRecords,
  enterChoices,
  maxResubscriptions,
  readAddressRecords,
  type AddressRecords,
} from './choices.queries.ts';
export { optOut } from './choices.ts';
