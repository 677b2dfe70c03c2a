/** `npm test`: all but what takes long because something has to fail or to be attacked first. */
import { openClaims } from './claims.ts';

export { closeClaims as globalTeardown } from './claims.ts';

/** Called by the test runner before its processes start. */
export const globalSetup = (): Promise<void> => openClaims('usual');
