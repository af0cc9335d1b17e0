export { listTestsTo, lockIdleTest, type TestKey } from './test-sends.queries.ts';
