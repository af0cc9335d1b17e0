import type { OwnTransport, OwnTransportOf } from '../transports/own-transport.ts';
import { readElasticEmailEvents } from './elastic-email-events.ts';
import { note, type ProviderEventDeps, type ProviderEvents, type StoredRequest } from './provider-event.ts';
import { readSesEvent } from './ses-events.ts';
import { readSnsMessage } from './sns.ts';

/**
 * Reads what a provider reports. Makes at most one request, to the provider, for what is not signed.
 * @throws OutboundFailure, LimitExceeded, TransportCheckError if that request fails: the report is to be read again later
 */
export async function readProviderEvents(
  request: StoredRequest,
  own: OwnTransport,
  deps: ProviderEventDeps,
): Promise<ProviderEvents> {
  const { settings } = own;
  if (settings.kind === 'elastic_email') return await readElasticEmailEvents(request, own, deps);
  if (settings.kind === 'ses') return await readSesEvents(request, { ...own, settings }, deps);
  return { rejected: 'A mail server reports nothing by requests.' };
}

/** SES reports through a topic of SNS. */
async function readSesEvents(
  { body }: StoredRequest,
  { id, settings }: OwnTransportOf<'ses'>,
  { outbound, endpoints }: ProviderEventDeps,
): Promise<ProviderEvents> {
  // Anybody can have a topic: without ours there is nothing to believe.
  if (settings.topic_arn === null) return { rejected: 'The transport has no topic.' };
  const topicArn = settings.topic_arn;
  const message = await readSnsMessage(body, { outbound, owner: id, topicArn, origin: endpoints?.sns });
  if (message === undefined)
    return { rejected: 'The request is no message of the topic that SNS has signed.' };
  if (message.type === 'Notification') return readSesEvent(message.message);
  if (message.type === 'UnsubscribeConfirmation') return note;
  if (message.subscribeUrl === undefined) return { rejected: 'The subscription is not at SNS.' };
  const request = { owner: id, url: message.subscribeUrl, method: 'GET', headers: {} };
  const { status } = await outbound.request(request);
  return status === 200 ? note : { rejected: `SNS responds with status ${status}.` };
}
