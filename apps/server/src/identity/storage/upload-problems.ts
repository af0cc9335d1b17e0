import type { ErrorCode } from '@reachout/contract/errors.ts';
import { toRead } from '../../platform/http/problem-schemas.ts';

/** Codes of every route that changes something. */
export const toChange = [
  ...toRead,
  'foreign_origin',
  'organization_suspended',
] as const satisfies ErrorCode[];

/** Codes of every route that takes a file. */
export const toUpload = [
  ...toChange,
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'invalid_input',
] as const satisfies ErrorCode[];
