import { decode, readUrl } from '../setting-values.ts';

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
  const url = readUrl(text, /^s3(?:\+http)?:$/);
  if (url === undefined || url.hash !== '') return undefined;
  const bucket = /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?$/.exec(url.pathname)?.[1];
  const others = [...url.searchParams.keys()].filter((name) => name !== 'region');
  const [accessKeyId, secretAccessKey] = [url.username, url.password].map(decode);
  const region = url.searchParams.get('region') || 'us-east-1';
  if (!bucket || !accessKeyId || !secretAccessKey || others.length > 0) return undefined;
  if (!/^[\w-]{1,64}$/.test(region)) return undefined;
  return {
    endpoint: `${url.protocol === 's3:' ? 'https' : 'http'}://${url.host}`,
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
  };
}
