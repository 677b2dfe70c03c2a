import type { TSchema } from 'typebox';
import { selectWritten } from '../../../db/written-json.ts';
import { VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import type { Route } from '../../../http/route.ts';
import { type CheckBody, compileBodyCheck } from '../../../http/validation.ts';
import type { EntityType } from '../../../resources/entity-types.ts';
import type { RestoreRule } from '../../../resources/restored-records.ts';
import type { Feature } from '../../feature.ts';
import type { Refusal } from './refusals.ts';

/** The members of a version or a body. */
export type Members = Readonly<Record<string, unknown>>;

/** The reasons of the kinds in {@link NOT_RESTORED}. */
const REFUSAL_OF: Readonly<Partial<Record<EntityType, Refusal>>> = {
  business_unit: 'own_operation',
  tenant_membership: 'gives_access',
  business_unit_grant: 'gives_access',
  marketing_subscriber: 'erased',
  form_submission: 'erased',
  marketing_email_sending_job: 'past_event',
  user_journey_state: 'past_event',
};

/** Reasons why some kinds are not restored, as the end of a message that begins with the kind. */
export const NOT_RESTORED: Readonly<Partial<Record<EntityType, string>>> = {
  business_unit: 'has its own operation: POST /api/client/v1/business-units/{bu_id}/restore',
  tenant_membership: 'cannot be restored: it gives access, so create it again',
  business_unit_grant: 'cannot be restored: it gives access, so grant it again',
  marketing_subscriber:
    'cannot be restored: subscribers are erased permanently, and consent must not be restored',
  form_submission: 'cannot be restored: submissions never change and are erased permanently',
  marketing_email_sending_job: 'cannot be restored: it records what was sent',
  user_journey_state: 'cannot be restored: it records what happened in a journey',
};

/** The route that creates or updates records of a kind, with its checks. */
export interface RecordWriter {
  readonly route: Route;
  /** Checks a body by the route's schema and rules. @throws AppError VALIDATION_ERROR. */
  readonly check: CheckBody;
  /** True if callers write a member of this name. */
  readonly isWritten: (name: string) => boolean;
  /** Names of the members that callers write; null for any. */
  readonly written: readonly string[] | null;
}

/** Restores the records of one kind. */
export interface Restorer extends RestoreRule {
  readonly entityType: EntityType;
  readonly create: RecordWriter;
  /** Absent if no request changes such records. */
  readonly update?: RecordWriter;
  /** Returns the members of a version that the body of `create` accepts. */
  readonly bodyOf: (version: Members) => Members;
}

/**
 * Returns the restorers of a feature. @throws Error for a rule whose resource has no history or whose route is missing.
 */
export function restorersOf({ name, routes, restores = [] }: Feature): readonly Restorer[] {
  return restores.map((rule) => {
    const route = routes.find(({ id }) => id === rule.createdBy);
    const updating = updatingRoute(routes, rule.createdBy);
    const { entityType } = rule.resource;
    if (!route?.body || entityType === undefined)
      throw new Error(`${name} has no route ${rule.createdBy} to restore records.`);
    const { body } = route;
    return {
      ...rule,
      entityType,
      create: toWriter(route, body),
      ...(updating?.body && { update: toWriter(updating, updating.body) }),
      bodyOf: rule.bodyOf ?? ((version) => selectNamedMembers(body, version)),
    };
  });
}

/** Returns the route that updates the records: `forms.replace` for `forms.create`, or a PUT that does both. */
function updatingRoute(routes: readonly Route[], createdBy: string): Route | undefined {
  const id = createdBy.replace(/create$/, 'replace');
  return routes.find((route) => route.id === id && route.updates?.current);
}

function toWriter(route: Route, body: TSchema): RecordWriter {
  const { checks, firstChecks } = route;
  // The restore itself sets the version.
  const written = allowsOtherMembers(body) ? null : namesIn(body).filter((name) => name !== 'version');
  return {
    route,
    check: compileBodyCheck(body, VALIDATION_ERROR, checks, firstChecks),
    isWritten: (name) => name !== 'version' && (written?.includes(name) ?? true),
    written,
  };
}

/** The parts of a record that can be restored. */
export interface Restorability {
  /** Null if versions can be restored. */
  readonly refusal: Refusal | null;
  /** Members that a restore can name; null for any. */
  readonly fields: readonly string[] | null;
}

/** Returns what can be restored of a record. `restorer` is that of its kind; undefined: there is none. */
export function restorabilityOf(
  kind: EntityType,
  restorer: Restorer | undefined,
  isDeleted: boolean,
): Restorability {
  if (restorer === undefined) return { refusal: REFUSAL_OF[kind] ?? 'unchangeable', fields: [] };
  const writer = isDeleted ? restorer.create : restorer.update;
  if (writer === undefined) return { refusal: 'unchangeable', fields: [] };
  return { refusal: null, fields: writer.written };
}

/**
 * Returns the members of a version that a schema names. `version` is omitted: in a body, it is the version that the
 * caller has read.
 */
function selectNamedMembers(schema: TSchema, version: Members): Members {
  const names = new Set(namesIn(schema));
  return selectWritten(
    version,
    (name, value) => names.has(name) && name !== 'version' && (value ?? null) !== null,
  );
}

function namesIn(schema: TSchema): string[] {
  return 'properties' in schema ? Object.keys(Object(schema.properties)) : [];
}

function allowsOtherMembers(schema: TSchema): boolean {
  return 'additionalProperties' in schema && schema.additionalProperties !== false;
}
