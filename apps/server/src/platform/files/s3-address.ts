/** The parts of S3_URL. */
export interface S3Address {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Parses `s3://key:secret@host/bucket?region=eu-central-1`; `s3+http` is for a host on the same machine that has no
 * certificate. Key and secret are percent-encoded if they contain `/`, `@` or `:`.
 * @returns undefined for anything else
 */
export function parseS3Url(text: string): S3Address | undefined {
  const url = URL.parse(text);
  const scheme = url === null ? undefined : schemes[url.protocol];
  if (url === null || scheme === undefined || url.hash !== '') return undefined;
  const bucket = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/.exec(url.pathname)?.[1];
  const others = [...url.searchParams.keys()].filter((name) => name !== 'region');
  const [accessKeyId, secretAccessKey] = [url.username, url.password].map(decode);
  if (!bucket || !accessKeyId || !secretAccessKey || url.host === '' || others.length > 0) return undefined;
  return {
    endpoint: `${scheme}//${url.host}`,
    bucket,
    region: url.searchParams.get('region') || 'us-east-1',
    accessKeyId,
    secretAccessKey,
  };
}

const schemes: Record<string, string> = { 's3:': 'https:', 's3+http:': 'http:' };

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
