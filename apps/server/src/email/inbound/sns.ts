import { verify, X509Certificate, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { OutboundFailure } from '../../platform/outbound/outbound-failure.ts';

/** A message of the topic, which Amazon SNS has signed. */
export interface SnsMessage {
  type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  message: string;
  /** Undefined unless it is at an address of SNS. */
  subscribeUrl: string | undefined;
}

export interface SnsDeps {
  outbound: OutboundClient;
  owner: string;
  /** ARN of the topic that is believed; its region is where SNS is asked. */
  topicArn: string;
  /** Origin that stands in for those of SNS, in tests. */
  origin?: string | undefined;
}

/** Fields in the order in which they are signed: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */
const notificationFields = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const confirmationFields = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
const algorithms: Readonly<Record<string, string>> = { '1': 'sha1', '2': 'sha256' };

/**
 * @returns undefined unless it is a message of the topic, and SNS has signed it
 * @throws OutboundFailure, LimitExceeded if the certificate cannot be fetched now
 */
export async function readSnsMessage(body: string, deps: SnsDeps): Promise<SnsMessage | undefined> {
  const fields = parse(body);
  const { Type: type = '', SigningCertURL: certificateUrl = '', SignatureVersion: version = '' } = fields;
  const algorithm = Object.hasOwn(algorithms, version) ? algorithms[version] : undefined;
  // Before anything is asked for: anybody can have a topic, and name any host.
  if (algorithm === undefined || !isType(type) || fields['TopicArn'] !== deps.topicArn) return undefined;
  if (!isOfSns(certificateUrl, deps) || !certificatePath.test(new URL(certificateUrl).pathname))
    return undefined;
  const key = await findKey(certificateUrl, deps);
  const names = type === 'Notification' ? notificationFields : confirmationFields;
  const signed = names.filter((name) => fields[name] !== undefined);
  const bytes = Buffer.from(signed.map((name) => `${name}\n${fields[name]}\n`).join(''));
  const signature = Buffer.from(fields['Signature'] ?? '', 'base64');
  if (key === undefined || !verify(algorithm, bytes, key, signature)) return undefined;
  const { Message: message = '', SubscribeURL: url = '' } = fields;
  return { type, message, subscribeUrl: isOfSns(url, deps) ? url : undefined };
}

/** @returns the fields that are texts */
function parse(body: string): Readonly<Record<string, string | undefined>> {
  try {
    const parsed: unknown = JSON.parse(body);
    return Object.fromEntries(Object.entries(parsed ?? {}).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

const isType = (type: string): type is SnsMessage['type'] =>
  ['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation'].includes(type);

/** Only SNS answers at these names, and only certificates at this path. */
const certificatePath = /^\/SimpleNotificationService-[\da-f]{1,64}\.pem$/;

function isOfSns(text: string, { origin, topicArn }: SnsDeps): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (origin !== undefined) return url.origin === origin;
  const region = /^arn:aws(?:-[a-z]+)*:sns:([a-z\d-]{1,30}):/.exec(topicArn)?.[1];
  const domain = `amazonaws.com${region?.startsWith('cn-') === true ? '.cn' : ''}`;
  return url.protocol === 'https:' && url.port === '' && url.hostname === `sns.${region}.${domain}`;
}

/** By URL: SNS changes its certificates, and each has an address of its own. */
const keys = new LRUCache<string, KeyObject>({ max: 20 });

async function findKey(url: string, { outbound, owner }: SnsDeps): Promise<KeyObject | undefined> {
  const known = keys.get(url);
  if (known !== undefined) return known;
  const { status, body } = await outbound.request({ owner, url, method: 'GET', headers: {} });
  if (status >= 500) throw new OutboundFailure('connection');
  if (status !== 200) return undefined;
  try {
    const key = new X509Certificate(body).publicKey;
    keys.set(url, key);
    return key;
  } catch {
    return undefined;
  }
}
