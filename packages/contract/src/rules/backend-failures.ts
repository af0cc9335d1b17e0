/** Why a remote content backend could not be used: screens have a text for each. */
export const backendFailures = [
  /** The address is none, or not one that may be asked: other than https on port 443. */
  'address',
  /** It is in a private network that the operator has not listed. */
  'private',
  /** There is no server of this name. */
  'name',
  'refused',
  'timeout',
  'certificate',
  'redirect',
  'too_large',
  /** The connection broke. */
  'connection',
  /** Several requests in a row failed: for a while nothing is asked. */
  'paused',
  /** What answers is no Directus. */
  'malformed',
  /** It failed with a status of 500 and above. */
  'status',
  /** It takes no more requests for now. */
  'busy',
  /** The token is wrong, or revoked. */
  'credentials',
  /** The token lacks a permission, or what it asks for is not there. */
  'not_allowed',
  /** The token lacks a permission on files, which a setup gives it. */
  'files_not_allowed',
  /** The license of the Directus does not allow this. */
  'licence',
  /** It rejects what was sent. */
  'rejected',
  /** Another one is connected by now, or none. */
  'changed',
  /** Only the built-in backend can do this. */
  'built_in_only',
] as const;
export type BackendFailure = (typeof backendFailures)[number];

/** The address of a Directus: a host, maybe with a port and a path, without query and password. */
export const endpointPattern =
  /^[hH][tT][tT][pP][sS]?:\/\/(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?|\[[0-9a-fA-F:.]{2,45}\])(?::[0-9]{1,5})?(?:\/[\w.~/-]{0,200})?$/;
