/**
 * `npm run test:faults`: processes are killed, databases, relays and receivers go away and come back, backups
 * are restored, keys are replaced, callers are hostile.
 */
import { openClaims } from './claims.ts';

export { closeClaims as globalTeardown } from './claims.ts';

/** Called by the test runner before its processes start. */
export const globalSetup = (): Promise<void> => openClaims('faults');
