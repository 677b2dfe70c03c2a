/** Schemas with the tables that are made for one tenant while a process runs: those of its entities. */

/** The schema of a tenant. */
export function schemaOf(tenantId: string): string {
  return `entities_${tenantId.replaceAll('-', '')}`;
}

/** SQL: whether a name is one of a tenant's schema. */
export function isTenantSchema(name: string): string {
  return `${name} ~ '^entities_[0-9a-f]{32}$'`;
}

const NAMED = /\bentities_[0-9a-f]{32}\b/;

/** Whether SQL names tables of a tenant's schema. */
export function namesTenantSchema(text: string): boolean {
  return NAMED.test(text);
}
