/** Schemas with the entity tables of one tenant, which are created at run time. */

/** Returns the schema of a tenant. */
export function schemaOf(tenantId: string): string {
  return `entities_${tenantId.replaceAll('-', '')}`;
}

/** Returns SQL that is true if `name` is the schema of a tenant. */
export function isTenantSchema(name: string): string {
  return `${name} ~ '^entities_[0-9a-f]{32}$'`;
}

const NAMED = /\bentities_[0-9a-f]{32}\b/;

/** True if SQL names tables of a tenant's schema. */
export function namesTenantSchema(text: string): boolean {
  return NAMED.test(text);
}
