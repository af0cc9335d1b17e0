import {
  fieldInterfaces,
  fieldTypes,
  type Field,
  type FieldInterface,
  type FieldType,
} from '@reachout/contract/content-fields.ts';

/** The kinds of field that users choose from: the interface if there is one, otherwise the type. */
export const fieldKinds = [
  'string',
  'text',
  'rich_text',
  'email',
  'select',
  'tags',
  'imageFile',
  'image',
  'boolean',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'date',
  'dateTime',
  'timestamp',
  'time',
  'json',
  'uuid',
  'csv',
] as const satisfies readonly (FieldType | FieldInterface | 'imageFile')[];
export type FieldKind = (typeof fieldKinds)[number];

const typeOfInterface: Record<FieldInterface, FieldType> = {
  email: 'string',
  select: 'string',
  tags: 'csv',
  image: 'string',
  rich_text: 'text',
};

/** Whether the field is an image stored as a file of the organization, not as a web address. */
export const isImageFile = ({ type, interface: name }: Pick<Field, 'type' | 'interface'>): boolean =>
  name === 'image' && type === 'uuid';

/** Whether the values are HTML. */
export const isRichText = ({ interface: name }: Pick<Field, 'interface'>): boolean => name === 'rich_text';

export const kindOfField = (field: Pick<Field, 'type' | 'interface'>): FieldKind =>
  isImageFile(field) ? 'imageFile' : (field.interface ?? field.type);

export function settingsOfKind(kind: FieldKind): Pick<Field, 'type' | 'interface'> {
  if (kind === 'imageFile') return { type: 'uuid', interface: 'image' };
  const name = fieldInterfaces.find((each) => each === kind);
  if (name !== undefined) return { type: typeOfInterface[name], interface: name };
  return { type: fieldTypes.find((type) => type === kind) ?? 'string', interface: null };
}

/** Whether values of this kind can be unique; some kinds cannot be compared well enough. */
export const canBeUnique = (kind: FieldKind): boolean => !['boolean', 'json', 'csv', 'tags'].includes(kind);
