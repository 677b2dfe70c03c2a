import { useTenantQuery } from '../session/use-tenant-query.ts';

/** Reads the email settings of the tenant: senders, subscription types, sandbox. */
export function useEmailSettings() {
  return useTenantQuery(['email-settings'], (api, options) => api.emailSettings.get(options));
}
