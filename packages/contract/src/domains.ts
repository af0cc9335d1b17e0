import { z } from 'zod';
import { apiErrors, pickErrors } from './errors.ts';
import { memberOperations, tooManyRecords } from './operation.ts';
import { ownerChanges, ownerFields, ownerInput, usableBy } from './owners.ts';
import { dnsRecordTypes, domainAdviceCodes, domainVerdicts } from './rules/domain-advice.ts';
import {
  domainCheckKinds,
  domainCheckStates,
  domainNameProblems,
  domainSettings,
  domainStatuses,
} from './states/domain.ts';
import { filledLine, id, list, order, paging, timestamp, webAddress } from './values.ts';

/** Maximum number of domains of an organization. */
export const maxDomains = 50;

const DnsRecord = z.object({ type: z.enum(dnsRecordTypes), name: z.string(), value: z.string() });

/** A record that the domain needs, as it is entered at a DNS provider. */
const RecordToSet = DnsRecord.extend({
  purpose: z.enum(domainCheckKinds),
  /** The name within the zone; `@` for the zone itself. */
  host: z.string(),
  /** For TXT values longer than 255 characters: the strings that they consist of, each in quotation marks. */
  splitValue: z.string().optional(),
});

export const DomainCheck = z.object({
  /** What the latest check said that had an answer of the DNS; null before the first. */
  state: z.enum(domainCheckStates).nullable(),
  /** The verdict of the latest check, which `found`, `wanted` and `advice` explain; null before the first. */
  verdict: z.enum(domainVerdicts).nullable(),
  found: z.array(DnsRecord),
  wanted: z.array(DnsRecord),
  /** Codes with params; `rules/domain-advice.ts` has their texts. */
  advice: z.array(
    z.object({
      code: z.enum(domainAdviceCodes),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
  checked_at: timestamp.nullable(),
  passed_at: timestamp.nullable(),
  /** The first of the latest failures in a row. */
  failing_since: timestamp.nullable(),
});
export type DomainCheck = z.infer<typeof DomainCheck>;

const states = z.enum(domainCheckStates).nullable();

export const Domain = z.object({
  id,
  organization_id: id,
  ...ownerFields,
  /** A-labels in lower case. */
  domain: z.string(),
  status: z.enum(domainStatuses),
  /** Web address to which visitors of the bare host of links are redirected. */
  destination: z.string().nullable(),
  states: z.object({ dkim: states, spf: states, return_path: states, dmarc: states, tracking: states }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Domain = z.infer<typeof Domain>;

export const DomainDetails = Domain.extend({
  /** The records to set, except those that depend on a missing setting. */
  records: z.array(RecordToSet),
  checks: z.object({
    dkim: DomainCheck,
    spf: DomainCheck,
    return_path: DomainCheck,
    dmarc: DomainCheck,
    tracking: DomainCheck,
  }),
  /** Settings that the operator of the installation must set first. */
  missing_settings: z.array(z.enum(domainSettings)),
  /** Whether another organization has verified this domain: until it is deleted there, it stays `pending` here. */
  is_taken: z.boolean(),
});
export type DomainDetails = z.infer<typeof DomainDetails>;

const Checked = DomainCheck.extend({ domainId: id, status: z.enum(domainStatuses) });

/** A domain as campaigns show it. */
export const LinkedDomain = z.object({
  id,
  domain: z.string(),
  status: z.enum(domainStatuses),
  destination: z.string().nullable(),
});
export type LinkedDomain = z.infer<typeof LinkedDomain>;

export const CampaignDomain = z.object({ id, campaign_id: id, domain: LinkedDomain });
export type CampaignDomain = z.infer<typeof CampaignDomain>;

const DkimKey = z.object({
  selector: z.string(),
  is_signing: z.boolean(),
  /** When messages were last signed with it; null for the signing key, and for a new one. */
  signed_until: timestamp.nullable(),
  created_at: timestamp,
});

const inOrganization = memberOperations('Domains', 'organization_id');
const onDomain = memberOperations('Domains', 'sending_domains');
const onCampaign = memberOperations('Domains', 'campaigns');

export const domains = {
  list: inOrganization('GET /domains', 'Sending domains', 'read Domain')
    .input({
      ...usableBy,
      order: order(['domain', 'created_at'], 'domain.asc'),
      ...paging(),
    })
    .output(list(Domain)),
  create: inOrganization('POST /domains', 'Add a sending domain', 'create Domain', {
    // The first domain waits for the keys of the organization.
    manualTransaction: true,
  })
    .input({
      ...ownerInput,
      /** In any case and script. */
      domain: filledLine(253, 'Enter a domain such as news.example.com.'),
      destination: webAddress.nullable().default(null),
    })
    .errors({
      ...tooManyRecords,
      ...pickErrors('domain_exists', 'domain_taken'),
      domain_refused: {
        ...apiErrors.domain_refused,
        data: z.object({ reason: z.enum(domainNameProblems) }),
      },
    })
    .output(DomainDetails),
  get: onDomain(
    'GET /domains/{id}',
    'One sending domain with the records to set and the latest checks',
    'read Domain',
  ).output(DomainDetails),
  update: onDomain('PATCH /domains/{id}', 'Change the owner or the destination', 'update Domain')
    /** Campaigns that can no longer use the domain lose it. */
    .input({ ...ownerChanges, destination: webAddress.nullable().optional() })
    .output(DomainDetails),
  delete: onDomain('DELETE /domains/{id}', 'Delete a sending domain permanently', 'delete Domain').output({
    id,
  }),
  // These GETs store what they see, at most once in 10 seconds: within them, the response has the stored result.
  checkDkim: onDomain('GET /domains/dkim/{id}', 'Check the DKIM keys now', 'read Domain').output(Checked),
  checkDmarc: onDomain('GET /domains/dmarc/{id}', 'Check the DMARC policy now', 'read Domain').output(
    Checked,
  ),
  checkSpf: onDomain('GET /domains/spf/{id}', 'Check SPF and the return path now', 'read Domain').output(
    Checked.extend({ return_path: DomainCheck }),
  ),
  checkTracking: onDomain('GET /domains/tracking/{id}', 'Check the host of links now', 'read Domain').output(
    Checked,
  ),
  // The keys belong to the organization, and messages of all its domains are signed with them.
  rotateKeys: inOrganization(
    'POST /domains/keys/rotate',
    'Sign with the other DKIM key, or replace one that has signed before',
    'update Organization',
    { manualTransaction: true },
  )
    .errors({
      key_in_use: { ...apiErrors.key_in_use, data: z.object({ until: timestamp }) },
      key_not_published: {
        ...apiErrors.key_not_published,
        /** At most 10 names. */
        data: z.object({ domains: z.array(z.string()), count: z.number() }),
      },
    })
    .output({
      /** `replaced`: the new key is to be published, and signs after the next rotation. */
      step: z.enum(['switched', 'replaced']),
      keys: z.array(DkimKey),
    }),
};

export const campaignDomains = {
  listDomains: onCampaign('GET /campaigns/{id}/domains', 'The domains of a campaign', 'read Campaign', {
    additionalPermissions: ['read Domain'],
  }).output(z.array(CampaignDomain)),
  setDomains: onCampaign(
    'PUT /campaigns/{id}/domains',
    'Replace the domains of a campaign',
    'update Campaign',
    { additionalPermissions: ['read Domain'] },
  )
    .input({ domain_ids: z.array(id).max(maxDomains) })
    .output(z.array(CampaignDomain)),
};

export const getAvailableDomains = memberOperations('Domains', 'campaigns', 'campaign_id')(
  'POST /rpc/get_available_domains',
  'The verified domains that a campaign can use, by name',
  'read Domain',
  // Changes nothing.
  { additionalPermissions: ['read Campaign'], manualTransaction: true },
).output(z.array(LinkedDomain));
