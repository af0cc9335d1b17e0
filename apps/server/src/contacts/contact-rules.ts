import type { ContactRules } from '../content/backend/contact-rules.ts';
import { deleteField, updateField } from './audiences/change-field.ts';
import type { AddressHashes } from './consent/erased-addresses.ts';
import { keepOptOuts } from './consent/keep-opt-outs.ts';
import { eraseContact } from './people/erase-contact.ts';

/** @param secrets  find the addresses whose data was erased; undefined where none was erased, or its owner has just confirmed to want mail */
export const createContactRules = (secrets: AddressHashes | undefined): ContactRules => ({
  keepOptOuts: (trx, writer, before, after) => keepOptOuts(trx, { ...writer, secrets }, before, after),
  erase: eraseContact,
  updateField,
  deleteField,
});
