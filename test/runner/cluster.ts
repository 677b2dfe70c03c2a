/** `npm run test:cluster`: both parts, on the cluster that TEST_CLUSTER_URL names or the one that CI starts. */
import { openClaims } from './claims.ts';

export { closeClaims as globalTeardown } from './claims.ts';

const DEFAULT_COORDINATOR = 'postgres://postgres@127.0.0.1:5501/postgres';

/** Called by the test runner before its processes start. */
export async function globalSetup(): Promise<void> {
  process.env.TEST_CLUSTER_URL ||= DEFAULT_COORDINATOR;
  await openClaims('all');
}
