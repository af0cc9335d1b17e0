import { deleteWarmUpPlan, listWarmUpPlans, upsertWarmUpPlan } from '../apps/server/src/queue/warm-up.ts';
import type { Database } from '../apps/server/src/platform/database/database.ts';
import { runOperatorCommand, wrongArgument } from './installation.ts';

// npm run warm-up -- DOMAIN FIRST [GROWTH] [LAST]: limits how many messages a day are sent from a new sender domain.

const usage = `Usage: npm run warm-up                                   lists the plans
       npm run warm-up -- DOMAIN FIRST [GROWTH] [LAST]   begins a plan today
       npm run warm-up -- DOMAIN off                     ends it
  DOMAIN  of the sender addresses
  FIRST   messages on the first day, for instance 500
  GROWTH  on each following day so many times those of the day before: 1.01 to 3; 1.5 if left out
  LAST    the plan is over when it would allow more than this; 100000 if left out`;

await runOperatorCommand(readArguments, async ({ db }, _config, plan) => {
  if (plan === undefined) return await describePlans(db);
  const { domain } = plan;
  if (plan.first === undefined)
    return (await deleteWarmUpPlan(db, domain)) ? `${domain} has no limit a day.` : `${domain} has no plan.`;
  await upsertWarmUpPlan(db, { ...plan, first: plan.first });
  return `${domain} sends at most ${plan.first} messages today, and ${plan.growth} times as many on each following day.`;
});

async function describePlans(db: Database): Promise<string> {
  const plans = await listWarmUpPlans(db);
  const lines = plans.map(({ domain, limit, used, is_over }) =>
    is_over ? `${domain}: the plan is over` : `${domain}: ${used} of ${limit} messages today`,
  );
  return lines.length === 0 ? 'There are no plans.' : lines.join('\n');
}

function readArguments([name, first, growth = '1.5', last = '100000', ...more]: string[]) {
  if (name === undefined) return undefined;
  const domain = name.toLowerCase();
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) throw wrongArgument(`"${name}" is no domain.`, usage);
  if (more.length > 0) throw wrongArgument(`"${more.join(' ')}" is too much.`, usage);
  const plan = { domain, growth: Number(growth), last: Number(last) };
  if (first === 'off') return { ...plan, first: undefined };
  if (!/^[1-9]\d{0,8}$/.test(first ?? ''))
    throw wrongArgument(`"${first ?? ''}" is neither a number of messages nor "off".`, usage);
  if (!(plan.growth >= 1.01 && plan.growth <= 3))
    throw wrongArgument(`"${growth}" is not between 1.01 and 3.`, usage);
  if (!/^[1-9]\d{0,8}$/.test(last) || plan.last < Number(first))
    throw wrongArgument(`"${last}" is no number of messages from ${first} on.`, usage);
  return { ...plan, first: Number(first) };
}
