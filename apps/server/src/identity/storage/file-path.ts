import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { maxPathBytes } from '@reachout/contract/rules/storage.ts';
import { isUuid } from '../../platform/ids.ts';

/** Where a file is: in the folder of an organization, at a path that the caller has chosen. */
export interface FilePath {
  organizationId: string;
  /** Within that folder. */
  path: string;
}

const maxSegments = 5;

/** Letters and digits of any script, `.`, `_`, `-` and blanks; no dot or blank at its ends, and no two dots in a row. */
const segment = /^(?![. ])(?!.*\.\.)[\p{L}\p{M}\p{N}._ -]{1,200}(?<![. ])$/u;

const isSegment = (text: string): boolean => segment.test(text) && text === text.normalize('NFC');

const isFolder = (text: string): boolean => isUuid(text) && text === text.toLowerCase();

/**
 * Parses the path of an address as it was sent. Each path has exactly one spelling: an escape of a character that needs none, such
 * as `%2e`, makes another path of it, which does not exist.
 * @returns undefined for anything but `{organization}/{segments}`
 */
export function parseFilePath(raw: string): FilePath | undefined {
  const segments = raw.split('/').map((part) => {
    const text = decode(part);
    return encodeURIComponent(text) === part ? text : '';
  });
  return toFilePath(segments);
}

/** Parses a path that is a value, not part of an address. */
export const parsePlainPath = (path: string): FilePath | undefined => toFilePath(path.split('/'));

/** Parses `{organization}` or `{organization}/{folders}`, with or without a slash at its end. The path is then that of a folder. */
export function parsePrefix(prefix: string): FilePath | undefined {
  const [organizationId = '', ...folders] = prefix.replace(/\/$/, '').split('/');
  if (folders.length === 0) return isFolder(organizationId) ? { organizationId, path: '' } : undefined;
  return toFilePath([organizationId, ...folders]);
}

function toFilePath([organizationId = '', ...segments]: readonly string[]): FilePath | undefined {
  const path = segments.join('/');
  const isPath = segments.length > 0 && segments.length <= maxSegments && segments.every(isSegment);
  return isPath && Buffer.byteLength(path) <= maxPathBytes && isFolder(organizationId)
    ? { organizationId, path }
    : undefined;
}

/** Makes a segment of the name of a file. */
export function toSegment(name: string): string {
  const kept = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._ -]/gu, '_')
    .replaceAll(/\.{2,}/g, '.')
    .replace(/^[^\p{L}\p{N}_-]+/u, '');
  return cutText(kept, 200, 'code_point').replace(/[. ]+$/, '') || 'file';
}

/** The whole path, as responses show it. */
export const wholePath = ({ organizationId, path }: FilePath): string => `${organizationId}/${path}`;

export const urlOfPath = (bucket: string, file: FilePath): string =>
  `/api/storage/${bucket}/${wholePath(file).split('/').map(encodeURIComponent).join('/')}`;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
