/** Reasons why a remote content backend could not be used; the screens have a text for each. */
export const backendFailures = [
  /** The address is invalid or not allowed: not https on port 443. */
  'address',
  /** The IP address is in a private network that the operator has not listed. */
  'private',
  /** The host name does not resolve, or only in a private network that the operator has not listed. */
  'name',
  'refused',
  'timeout',
  'certificate',
  'redirect',
  'too_large',
  /** The connection was lost. */
  'connection',
  /** Several requests in a row failed, so no requests are sent for a while. */
  'paused',
  /** The response is not from a Directus. */
  'malformed',
  /** The response has a status of 500 or above. */
  'status',
  /** The backend accepts no more requests for now. */
  'busy',
  /** The token is invalid or was revoked. */
  'credentials',
  /** The token lacks a permission, or the requested object does not exist. */
  'not_allowed',
  /** The token lacks a permission on files, which a setup grants. */
  'files_not_allowed',
  /** The license of the Directus does not allow this. */
  'licence',
  /** The backend rejects the data. */
  'rejected',
  /** Another backend was connected meanwhile, or none is connected. */
  'changed',
  /** Only the built-in backend supports this. */
  'built_in_only',
] as const;
export type BackendFailure = (typeof backendFailures)[number];

/** The address of a Directus: host, optional port and path, no query or password. */
export const endpointPattern =
  /^[hH][tT][tT][pP][sS]?:\/\/(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?|\[[0-9a-fA-F:.]{2,45}\])(?::[0-9]{1,5})?(?:\/[\w.~/-]{0,200})?$/;
