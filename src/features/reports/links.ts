/** Links to files that are too large for a mail. They are signed, so a download needs no API key. */

import type { Platform } from '../../platform.ts';
import { closedTenants } from '../../tenancy/closed-tenants.ts';

/** How long a file can be downloaded, in days. */
export const LINK_DAYS = 7;

const PURPOSE = 'report-file';
const DAY_MS = 24 * 60 * 60 * 1000;

/** The export that a link leads to. */
export interface ExportLink {
  readonly tenantId: string;
  readonly exportId: string;
}

/** Returns the URL of a file, valid for `LINK_DAYS` from now. */
export function fileUrl(platform: Platform, tenantId: string, exportId: string, now: Date): string {
  const until = new Date(now.getTime() + LINK_DAYS * DAY_MS);
  const token = platform.tokens.sign(PURPOSE, { tenantId, exportId }, until);
  return `${platform.publicUrl()}/reports/${token}`;
}

/** Returns the export of a link; null if the link is invalid or expired, or its tenant is closed. */
export function readLink(platform: Platform, token: string, now: Date): ExportLink | null {
  const { tenantId, exportId } = platform.tokens.verify(PURPOSE, token, now) ?? {};
  if (tenantId === undefined || exportId === undefined) return null;
  return closedTenants(platform).has(tenantId) ? null : { tenantId, exportId };
}
