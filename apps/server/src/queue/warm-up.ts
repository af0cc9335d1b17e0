// For the operator's command line: no API operation changes a plan.
export { deleteWarmUpPlan, listWarmUpPlans, upsertWarmUpPlan } from './warm-up.queries.ts';
