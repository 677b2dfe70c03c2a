/** `npm run test:cluster`: as `npm test`, on the cluster that TEST_CLUSTER_URL names or the one that CI starts. */
import { globalSetup as setUp } from './claims.ts';

export { globalTeardown } from './claims.ts';

const DEFAULT_COORDINATOR = 'postgres://postgres@127.0.0.1:5501/postgres';

/** Called by the test runner before its processes start; they inherit the environment. */
export async function globalSetup(): Promise<void> {
  process.env.TEST_CLUSTER_URL ||= DEFAULT_COORDINATOR;
  await setUp();
}
