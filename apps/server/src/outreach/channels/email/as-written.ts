import { isHostOf } from '@reachout/contract/rules/website-hosts.ts';
import type { CompileProblem, EmailLink } from '../../../email/email-content.ts';
import { isSigned } from '../../../email/links/destination.ts';
import { hostOf } from '../../../email/links/link-targets.ts';

/** Hosts of the active websites of an organization, to which links get a visit token. */
type Hosts = ReadonlySet<string>;

/** @param host  undefined if it depends on the recipient */
const mayBeTracked = (hosts: Hosts, host: string | undefined): boolean =>
  host === undefined ? hosts.size > 0 : isHostOf(hosts, host);

/** Links elsewhere get no token anyway: whether they are signed changes nothing. */
export const withoutUntracked = (problems: readonly CompileProblem[], hosts: Hosts): CompileProblem[] =>
  problems.filter(({ code, host }) => code !== 'link_signed' || mayBeTracked(hosts, host));

/** @returns how many links are left as they are: those that their author marked, and signed ones that would get a token */
export const countAsWritten = (links: readonly EmailLink[], hosts: Hosts): number =>
  links.filter((link) => link.as_written || (isSigned(link.url) && mayBeTracked(hosts, hostOf(link)))).length;
