import { shortenText } from './cut-text.ts';
import type { PlaceholdersIn } from './placeholders.ts';

/**
 * `pass`, `warn` and `fail` are about the records of the domain. `temporary_error` is about the way to them: it says nothing
 * of the domain, and never replaces an earlier verdict.
 */
export const domainVerdicts = ['pass', 'warn', 'fail', 'temporary_error'] as const;
export type DomainVerdict = (typeof domainVerdicts)[number];

export const dnsRecordTypes = ['TXT', 'CNAME', 'MX', 'A', 'AAAA', 'CAA'] as const;
export type DnsRecordType = (typeof dnsRecordTypes)[number];

export interface DnsRecord {
  type: DnsRecordType;
  /** In full, as A-labels in lower case, without the last dot. */
  name: string;
  /** As it is entered at a DNS provider, but for the quotation marks of TXT: `10 mx.example.com` for MX. */
  value: string;
}

/** What one check of a sending domain found. */
export interface DomainCheckResult {
  verdict: DomainVerdict;
  /** The records that the verdict is about, as the DNS has them; not all if there are many or long ones. */
  found: DnsRecord[];
  /** The records that the domain should have. */
  wanted: DnsRecord[];
  /** What is wrong and what to do, the reasons of the verdict first. */
  advice: DomainAdvice[];
}

/**
 * What the checks of a sending domain say about its records. Stored as a code with params, so that each user sees it in their
 * language; these are the English texts, also used in the API. Names, values and codes of DNS errors are not translated.
 */
export const domainAdvice = {
  // Every check.
  settings_missing: 'The operator of this installation must set {{settings}} before this can be checked.',
  record_missing: 'No {{type}} record was found at {{name}}. Add it at your DNS provider.',
  record_doubled:
    'No record was found at {{name}}, but there is one at {{doubled}}: your DNS provider appends the domain. Enter only {{host}} as the name.',
  record_misplaced:
    'No record was found at {{name}}, but one like it at {{found}}. Enter {{host}} as the name.',
  record_alias:
    '{{name}} has a CNAME record to {{found}}, where the {{type}} record is missing or differs. A name with a CNAME record can have no other record: remove it, then add the record shown.',
  record_wildcard:
    '{{name}} has no record of its own: a wildcard record (*) of your zone answers with {{found}}. Add the {{type}} record shown, which counts instead of the wildcard.',
  record_quotes:
    'The value at {{name}} contains quotation marks. Paste it without them: your DNS provider adds what it needs.',
  record_backslashes: 'The value at {{name}} contains backslashes. Paste it without them.',
  wrong_target: '{{name}} points to {{found}}. Change it to {{target}}.',
  domain_unknown:
    'The DNS knows no domain {{domain}}. Check its spelling, and whether it is registered and has name servers.',
  answer_too_large:
    'The answer for {{name}} has more than {{records}} records, or one with more than {{kilobytes}} kB, and was not read. Remove what is no longer needed.',
  dns_unavailable:
    'The DNS gave no usable answer for {{name}} ({{code}}). This says nothing about your records: the check is repeated. If this lasts, ask your DNS provider whether the name servers of the domain answer.',
  zone_dnssec:
    'The DNSSEC signatures for {{name}} can’t be verified ({{detail}}), so that many mail servers get no answer, either. Have your DNS provider sign the zone again, or remove its DS record at your registrar.',
  zone_unreachable:
    'The name servers of {{name}} do not answer for it ({{detail}}). Check at your registrar that the right name servers are entered, and at your DNS provider that they have this zone.',
  check_too_slow:
    'The answers of the DNS took too long. This says nothing about your records: the check is repeated. If this lasts, ask your DNS provider whether the name servers of the domain answer.',
  too_many_queries: 'This check needed too many DNS queries and was ended.',
  resolvers_disagree:
    'Two DNS resolvers gave different answers. After a change, this is normal for some hours: the check is repeated.',
  // DKIM.
  dkim_second_missing:
    'No key was found at {{name}}. Messages are signed with the other key, so nothing is lost yet. Add this record, too, so that keys can be changed without a gap.',
  dkim_several:
    'There are {{count}} TXT records at {{name}}, and some mail servers accept none of them then. Keep only the one with our key.',
  dkim_not_a_key:
    'The record at {{name}} is not a DKIM key: {{value}}. Replace its value with the one shown.',
  dkim_revoked: 'The key at {{name}} is empty (p=), which revokes it. Replace the value with the one shown.',
  dkim_bad_base64: 'The key at {{name}} contains characters that no key has. Copy the value again.',
  dkim_key_cut:
    'The key at {{name}} is cut off after {{length}} of {{expected}} characters. Enter the value in its split form: each part has at most 255 characters.',
  dkim_other_key: 'The key at {{name}} differs from ours. Copy the value again.',
  dkim_syntax:
    'The record at {{name}} can’t be read at “{{term}}”, so that mail servers reject it. Replace the value with the one shown.',
  dkim_duplicate_tag:
    'The record at {{name}} has “{{tag}}” more than once, so that it is invalid. Replace the value with the one shown.',
  dkim_tag_case:
    'The record at {{name}} has “{{tag}}” in capital letters, which mail servers ignore. Replace the value with the one shown.',
  dkim_version:
    'The record at {{name}} is ignored: v=DKIM1 must come first, in these capital letters. Replace the value with the one shown.',
  dkim_algorithm:
    'The key at {{name}} has the type “{{value}}” (k=), but we sign with “rsa”. Replace the value with the one shown.',
  dkim_service: 'The key at {{name}} is not for email (s={{value}}). Remove “s={{value}}” from the value.',
  dkim_hash:
    'The key at {{name}} excludes SHA-256 (h={{value}}), with which we sign. Remove “h={{value}}” from the value.',
  dkim_testing:
    'The key at {{name}} is marked as a test (t=y), so that mail servers may ignore the signature. Remove “t=y” from the value.',
  dkim_short_key:
    'The key at {{name}} has {{bits}} bits. Large mail providers expect 2048: replace the value with the one shown.',
  // SPF.
  spf_missing: 'No SPF record was found at {{name}}. Add this TXT record: {{value}}',
  spf_from_missing:
    '{{name}} has no SPF record. Messages pass by their return path, but some mail servers look here, too. Add this TXT record: {{value}}',
  spf_several: '{{name}} has {{count}} SPF records, so that none counts. Merge them into one.',
  spf_mergeable: '{{name}} has {{count}} SPF records, so that none counts. Merge into one record: {{merged}}',
  spf_unusable:
    'The record at {{name}} is not an SPF record: {{value}}. It must begin with v=spf1 and a space.',
  spf_syntax: 'The SPF record of {{name}} can’t be read at “{{term}}”. Correct or remove it.',
  spf_too_many_lookups:
    'The SPF record of {{name}} needs {{count}} of 10 lookups, so that mail servers reject it. Remove what you no longer use, such as {{heaviest}}.',
  spf_many_lookups:
    'The SPF record of {{name}} needs {{count}} of 10 lookups. One more service can make it invalid. Remove what you no longer use, such as {{heaviest}}.',
  spf_void_lookups:
    'The SPF record of {{name}} refers to {{count}} names without records; 2 are allowed. Remove {{names}}.',
  spf_loop: 'The SPF record of {{name}} leads back to itself through {{through}}. Remove that reference.',
  spf_include_missing:
    'The SPF record of {{name}} refers to {{include}}, which has no SPF record. Remove that reference.',
  spf_include_several:
    'The SPF record of {{name}} refers to {{include}}, which has several SPF records, so that none counts. Remove that reference, or tell its owner.',
  spf_mx_hosts:
    'The SPF record of {{name}} uses the MX records of {{host}}, which are more than 10. Name the mail servers in another way.',
  spf_all_pass:
    'The SPF record of {{name}} ends with +all, so that the whole internet may send in its name. Replace it with ~all.',
  spf_include_all_pass:
    'The SPF record of {{name}} refers to {{include}}, which ends with +all, so that the whole internet may send in its name. Remove that reference.',
  spf_no_all: 'The SPF record of {{name}} does not say what holds for all others. End it with ~all.',
  spf_neutral_all: 'The SPF record of {{name}} ends with ?all, which says nothing. Replace it with ~all.',
  spf_ptr:
    'The SPF record of {{name}} uses ptr, which mail servers may ignore. Name the servers in another way.',
  spf_macros:
    'The SPF record of {{name}} contains “{{term}}”, which depends on each message, so that it can’t be checked here.',
  spf_not_covered:
    'The SPF record of {{name}} does not allow our servers. Add {{terms}}, so that it becomes: {{value}}',
  spf_from_not_covered:
    'The SPF record of {{name}} does not name our servers. Messages pass by their return path, but some mail servers look here, too. Add {{terms}}, so that it becomes: {{value}}',
  // DMARC.
  dmarc_missing:
    'No DMARC record was found for {{domain}}. Start with {{value}}, and move to p=quarantine after two weeks without problems in the reports.',
  dmarc_several: '{{name}} has {{count}} DMARC records, so that none counts. Keep one.',
  dmarc_unusable: 'The record at {{name}} is not a DMARC record: {{value}}. It must begin with v=DMARC1;',
  dmarc_wrong_case:
    'The record at {{name}} begins with {{found}}, so that it is ignored. Write v=DMARC1 with these capital letters.',
  dmarc_duplicate_tag:
    'The record at {{name}} has “{{tag}}” more than once, so that it is invalid. Keep one.',
  dmarc_tag_case:
    'The record at {{name}} has “{{tag}}” in capital letters, which strict mail servers ignore. Write it in lower case.',
  dmarc_no_policy:
    'The record at {{name}} has no valid policy: {{value}}. Add p=none, p=quarantine or p=reject.',
  dmarc_unknown_policy:
    'The record at {{name}} has no valid value of “{{tag}}” ({{found}}). New mail servers read it as p=none, others ignore the record. Use none, quarantine or reject.',
  dmarc_policy_none:
    'The policy of {{name}} is “none”: forged mail in your name is delivered. Move to p=quarantine after two weeks without problems in the reports.',
  dmarc_pct:
    'The record at {{name}} has pct={{pct}}, which new mail servers ignore: the policy then holds for all messages. Remove it.',
  dmarc_testing:
    'The record at {{name}} has t=y: the policy is only tested. Remove it after two weeks without problems in the reports.',
  dmarc_no_reports:
    'The record at {{name}} asks for no reports, so that you don’t learn who sends in your name. Add rua=mailto: and your address.',
  dmarc_report_consent:
    'Reports of {{domain}} go to {{host}}, which does not agree to that: it has no TXT record v=DMARC1 at {{name}}. Ask its owner, or use an address of your own domain.',
  dmarc_inherited:
    '{{domain}} has no DMARC record; that of {{from}} holds for it, with the policy “{{policy}}”. Mail servers that follow the older standard may see this differently. Add a record at _dmarc.{{domain}}.',
  dmarc_strict_dkim:
    'The record at {{name}} has adkim=s, but messages from {{domain}} are signed for {{signing}}. Remove adkim=s.',
  dmarc_dkim_unaligned:
    'Messages from {{domain}} are signed for {{signing}}, which belongs to another organization in the DNS, so that the signature does not count.',
  dmarc_strict_spf:
    'The record at {{name}} has aspf=s, but bounces go to {{bounce}}, so that SPF does not count, and only the signature does. Remove aspf=s.',
  dmarc_spf_unaligned:
    'Bounces go to {{bounce}}, which is no part of {{domain}}, so that SPF does not count, and only the signature does. Set up the return path of this domain.',
  // Return path.
  return_path_no_mx:
    'Bounces can’t reach us: {{name}} has neither our CNAME nor an MX record. Add the record shown.',
  return_path_other_mx:
    'Bounces can’t reach us: the MX record of {{name}} is {{found}}. Change it to {{mx}}.',
  return_path_extra_mx:
    '{{name}} has other MX records beside ours: {{found}}. Bounces that go there are lost to us. Remove them.',
  return_path_unserved:
    '{{name}} leads to us, but none of our mail servers ({{found}}) has an address, so that nothing comes back. Tell the operator of this installation.',
  // Tracking.
  tracking_apex:
    '{{host}} is the domain itself, which can’t have a CNAME record. Use a name below it, such as click.{{host}}.',
  tracking_chain:
    'The CNAME records of {{host}} do not end after {{limit}} steps. Point {{host}} directly to {{target}}.',
  tracking_flattened:
    '{{host}} has addresses ({{found}}) instead of a CNAME record. It works now, but would break when our addresses change. Use a CNAME to {{target}}.',
  tracking_elsewhere:
    '{{host}} leads to {{found}}, where we don’t answer. Replace it with a CNAME to {{target}}.',
  tracking_proxy:
    'A proxy in front of {{host}} ({{found}}) answers instead of us: {{answer}}. Switch it to “DNS only” at your DNS provider.',
  tracking_other_answer:
    'Something else than Reachout answers at {{host}}: {{answer}}. Check that nothing stands between {{host}} and {{target}}.',
  tracking_http_only:
    '{{host}} answers only without encryption (http). Until https works, links in messages stay at our own address.',
  tracking_certificate:
    'The certificate of {{host}} is not valid. If the record is new, wait an hour; otherwise tell the operator of this installation.',
  tracking_certificate_ends:
    'The certificate of {{host}} ends in {{days}} days and was not renewed. Tell the operator of this installation.',
  tracking_caa:
    'The CAA records of {{name}} allow certificates only from {{found}}. Add one for {{issuers}}, from where ours come.',
  tracking_unreachable: '{{host}} leads to us, but can’t be reached: {{reason}}',
  tracking_not_probed: '{{host}} could not be visited just now. The check is repeated.',
} as const;

export type DomainAdviceCode = keyof typeof domainAdvice;

type ParamNames<Code extends DomainAdviceCode> = PlaceholdersIn<(typeof domainAdvice)[Code]>;
type Param = string | number;

export const domainAdviceCodes = Object.keys(domainAdvice) as [DomainAdviceCode, ...DomainAdviceCode[]];

export interface DomainAdvice {
  code: DomainAdviceCode;
  params: Record<string, Param>;
}

export type DomainAdviceParams<Code extends DomainAdviceCode> = [ParamNames<Code>] extends [never]
  ? []
  : [params: Record<ParamNames<Code>, Param>];

/** Longer than each record that we give to customers: a cut one would be copied. */
export const maxAdviceParamLength = 1_000;

/** @param params  the placeholders of the code's text; long ones are truncated */
export const adviceOf = <Code extends DomainAdviceCode>(
  code: Code,
  ...[params]: DomainAdviceParams<Code>
): DomainAdvice => ({
  code,
  params: Object.fromEntries(
    Object.entries<Param>(params ?? {}).map(([name, param]) => [
      name,
      typeof param === 'string' ? toStorableText(param, maxAdviceParamLength) : param,
    ]),
  ),
});

/** PostgreSQL can store neither NUL nor lone surrogates. */
export const toStorableText = (text: string, maxLength: number): string =>
  shortenText(text, maxLength).toWellFormed().replaceAll('\0', '');
