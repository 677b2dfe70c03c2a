/** The links to files that are too large for a mail: signed, so that they need no key. */

import type { Platform } from '../../platform.ts';
import { closedTenants } from '../../tenancy/closed-tenants.ts';

/** How long a file can be downloaded. */
export const LINK_DAYS = 7;

const PURPOSE = 'report-file';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Which file a link is to. */
export interface LinkedFile {
  readonly tenantId: string;
  readonly exportId: string;
}

/** The address of a file, good for some days from now. */
export function fileAddress(platform: Platform, tenantId: string, exportId: string, now: Date): string {
  const until = new Date(now.getTime() + LINK_DAYS * DAY_MS);
  const token = platform.tokens.sign(PURPOSE, { tenantId, exportId }, until);
  return `${platform.publicUrl()}/reports/${token}`;
}

/** The file that a link is to; null when it was altered, is over, or its tenant is closed. */
export function readLink(platform: Platform, token: string, now: Date): LinkedFile | null {
  const { tenantId, exportId } = platform.tokens.verify(PURPOSE, token, now) ?? {};
  if (tenantId === undefined || exportId === undefined) return null;
  return closedTenants(platform).has(tenantId) ? null : { tenantId, exportId };
}
