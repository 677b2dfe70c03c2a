import type { TSchema } from 'typebox';
import { carryWritten } from '../../../db/written-json.ts';
import { VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import type { Route } from '../../../http/route.ts';
import { type CheckBody, compileBodyCheck } from '../../../http/validation.ts';
import type { EntityType } from '../../../resources/entity-types.ts';
import type { RestoreRule } from '../../../resources/restored.ts';
import type { Feature } from '../../feature.ts';

/** The members of a version or a body. */
export type Members = Readonly<Record<string, unknown>>;

/** Restores the records of one kind. */
export interface Restorer extends RestoreRule {
  readonly entityType: EntityType;
  readonly route: Route;
  /** Checks a body by the route's schema and rules. @throws AppError VALIDATION_ERROR. */
  readonly check: CheckBody;
  /** True if callers write a member of this name. */
  readonly isWritten: (name: string) => boolean;
  /** Returns the members of a version that the route's body accepts. */
  readonly bodyOf: (version: Members) => Members;
}

/** Returns the restorers of a feature. @throws Error for a rule without history, or without its route. */
export function restorersOf({ name, routes, restores = [] }: Feature): readonly Restorer[] {
  return restores.map((rule) => {
    const route = routes.find(({ id }) => id === rule.by);
    const { entityType } = rule.resource;
    if (!route?.body || entityType === undefined) throw new Error(`${name} cannot restore by ${rule.by}.`);
    const { body, checks, firstChecks } = route;
    return {
      ...rule,
      entityType,
      route,
      check: compileBodyCheck(body, VALIDATION_ERROR, checks, firstChecks),
      isWritten: (name) => isFree(body) || namesIn(body).includes(name),
      bodyOf: rule.bodyOf ?? ((version) => membersNamedBy(body, version)),
    };
  });
}

/**
 * Returns the members of a version that a schema names, without `version`, which stands for the version a caller has
 * read.
 */
function membersNamedBy(schema: TSchema, version: Members): Members {
  const given = namesIn(schema).filter((name) => name !== 'version' && (version[name] ?? null) !== null);
  return carryWritten(version, Object.fromEntries(given.map((name) => [name, version[name]])));
}

function namesIn(schema: TSchema): string[] {
  return 'properties' in schema ? Object.keys(Object(schema.properties)) : [];
}

function isFree(schema: TSchema): boolean {
  return 'additionalProperties' in schema && schema.additionalProperties !== false;
}
