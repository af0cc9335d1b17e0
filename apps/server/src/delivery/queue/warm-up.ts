// For the operator's own terminal: no operation of the API changes a plan.
export { deleteWarmUpPlan, listWarmUpPlans, upsertWarmUpPlan } from './warm-up.queries.ts';
