import { cutText } from '@reachout/contract/rules/cut-text.ts';
import { messagesOpen } from '@reachout/contract/states/data-request.ts';
import type { DirectusDeps } from '../../content/directus/connection.ts';
import { describeFailure } from '../../content/directus/describe-failure.ts';
import {
  inOrganization,
  limitStatements,
  transactionAs,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { enqueueJob, keepJob } from '../../platform/jobs/enqueue-job.ts';
import {
  handleJobs,
  JobFailed,
  JobInterrupted,
  type Job,
  type JobHandler,
} from '../../platform/jobs/job-kind.ts';
import { CopyTooLarge, copyPerson, type OpenCopy } from './copy-person.ts';
import { cameBack, dataRequestJobs, jobOf, type DataRequestKey, type CopyList } from './data-request.ts';
import {
  deleteRecords,
  expireRequests,
  findRequest,
  insertRecords,
  listOrganizationsWithOldRequests,
  lockRequest,
  replaceCopies,
  updateRequest,
  type DataRequestRow,
} from './data-requests.queries.ts';
import { erasePerson, eraseRemotePerson, type PersonKey, type Run } from './erase-person.ts';

export interface DataRequestDeps extends DirectusDeps {
  db: Database;
  /** Erases the emails that asked to confirm a request. */
  eraseEmails: (organizationId: string, addressKey: string) => Promise<void>;
}

type RequestJob = Job<{ request_id: string }>;

/** Statements read all messages or contacts of an organization. */
const statementMs = 120_000;
/** When an erasure looks again for messages that are not over: they are being sent, or their send is paused. */
const soonMs = 600_000;
const laterMs = 6 * 3_600_000;

/** Each searches all that its organization stores; a large one delays those of others only while there are several. */
export const handleDataRequests = (deps: DataRequestDeps): JobHandler =>
  handleJobs(dataRequestJobs, {
    run: async (job, signal) => await runRequest(deps, job, signal),
    giveUp: async (job) => {
      const key = keyOf(job);
      await inOrganization(deps.db, key.organizationId, async (trx) => {
        if ((await lockRequest(trx, key))?.state === 'running')
          await fail(
            trx,
            key,
            'unexpected',
            'The request could not be run. Try again, or ask the operator of this installation.',
          );
      });
    },
    maxAttempts: 20,
    delaysMs: [2_000, 10_000, 60_000, 600_000, 3_600_000],
    concurrency: 3,
    perOrganization: 1,
  });

function keyOf({ organizationId, payload }: RequestJob): DataRequestKey {
  if (organizationId === null) throw new JobFailed('Requests belong to an organization.');
  return { organizationId, id: payload.request_id };
}

/** Whether the worker goes on with it. */
const isOpenRequest = (request: DataRequestRow | undefined): request is DataRequestRow =>
  request?.state === 'running' || (request?.state === 'waiting' && request.failure === messagesOpen);

async function runRequest(deps: DataRequestDeps, job: RequestJob, signal: AbortSignal): Promise<void> {
  const key = keyOf(job);
  const run = <T>(work: (trx: Transaction) => Promise<T>) =>
    inOrganization(deps.db, key.organizationId, work);
  const step = <T>(work: (trx: Transaction) => Promise<T>): Promise<T> =>
    run(async (trx) => {
      if (signal.aborted || !(await keepJob(trx, job))) throw new JobInterrupted();
      await limitStatements(trx, statementMs);
      return await work(trx);
    });
  const request = await run((trx) => findRequest(trx, key));
  if (!isOpenRequest(request) || request.address_key === null) return;
  const person = { organizationId: key.organizationId, addressKey: request.address_key };
  const content = { ...deps, run };
  if (request.kind === 'copy') {
    await makeCopy(content, key, person, step);
    return;
  }
  const outcome = await erasePerson(person, step, deps.secrets);
  if (outcome === 'came_back') {
    await run(async (trx) => {
      if (isOpenRequest(await lockRequest(trx, key)))
        await updateRequest(trx, key, { state: 'done', failure: cameBack, erasesAddress: true });
    });
    return;
  }
  if (outcome === 'open') {
    const isNew = Date.now() - Date.parse(request.confirmed_at ?? '') < 3_600_000;
    const isOld = Date.now() - Date.parse(request.confirmed_at ?? '') > 24 * 3_600_000;
    // Under another key, because this job is still open. Of two, so that further tries by members add no jobs without end.
    const next = {
      ...jobOf(key),
      key: job.key === key.id ? `${key.id}/next` : key.id,
      delayMs: isNew ? soonMs : laterMs,
    };
    await run(async (trx) => {
      if (!isOpenRequest(await lockRequest(trx, key))) return;
      if (isOld)
        await updateRequest(trx, key, {
          state: 'waiting',
          failure: messagesOpen,
          error_content:
            'A send with a message to this person is not over, or is paused. Resume or cancel it: the rest is then erased.',
        });
      await enqueueJob(trx, dataRequestJobs, next);
    });
    return;
  }
  // Before it may wait for a member, who can then only say that the Directus is done.
  await deps.eraseEmails(person.organizationId, person.addressKey);
  try {
    await eraseRemotePerson(content, person);
  } catch (error) {
    const failure = describeFailure(error);
    if (failure === undefined) throw error;
    await run(async (trx) => {
      if (isOpenRequest(await lockRequest(trx, key)))
        await updateRequest(trx, key, {
          state: 'waiting',
          failure: failure.failure.slice(0, 40),
          error_content: cutText(failure.message, 500),
        });
    });
    return;
  }
  await run(async (trx) => {
    if (isOpenRequest(await lockRequest(trx, key)))
      await updateRequest(trx, key, { state: 'done', erasesAddress: true });
  });
}

/** Ends quietly if the request does: the person may be erased meanwhile. */
async function makeCopy(
  content: Parameters<typeof copyPerson>[0],
  key: DataRequestKey,
  person: PersonKey,
  step: Run,
): Promise<void> {
  /** While it is locked, nobody ends it: no record stays behind. */
  const whileRunning: Run = (work) =>
    step(async (trx) => {
      if ((await lockRequest(trx, key))?.state !== 'running') throw new HasEnded();
      return await work(trx);
    });
  const counts = new Map<CopyList, number>();
  const copy: OpenCopy = {
    step,
    add: (list, rows) =>
      whileRunning(async (trx) => {
        const after = counts.get(list) ?? 0;
        const added = await insertRecords(trx, key, { list, after }, rows);
        counts.set(list, after + added.count);
        return added;
      }),
    clear: () =>
      whileRunning(async (trx) => {
        await deleteRecords(trx, key);
        counts.clear();
      }),
  };
  try {
    const about = await copyPerson(content, person, copy);
    await whileRunning(async (trx) => {
      await updateRequest(trx, key, { state: 'done', copy: about });
      await replaceCopies(trx, key, person.addressKey);
    });
  } catch (error) {
    if (error instanceof HasEnded) return;
    if (!(error instanceof CopyTooLarge)) throw error;
    const reason =
      'The copy would have more than 1 GB. Export the data of this contact, and send it yourself.';
    await whileRunning((trx) => fail(trx, key, 'too_large', reason));
  }
}

class HasEnded extends Error {}

async function fail(
  trx: Transaction,
  key: DataRequestKey,
  failure: string,
  error_content: string,
): Promise<void> {
  await deleteRecords(trx, key);
  await updateRequest(trx, key, { state: 'failed', failure, error_content });
}

/** Deletes requests that were never confirmed, and copies whose time is over. Called by retention. */
export async function expireDataRequests(db: Database): Promise<void> {
  const organizations = await transactionAs(db, {}, (trx) => listOrganizationsWithOldRequests(trx, 1_000));
  for (const organizationId of organizations)
    await inOrganization(db, organizationId, (trx) => expireRequests(trx, organizationId));
}
