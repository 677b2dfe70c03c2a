/**
 * Checks of a definition that need no database. Required fields come first, then the entity, then the rest
 * (docs/specification/automations.md#automation).
 */
import { Cron } from 'croner';
import type { Issue } from '../../../errors/app-error.ts';
import { isZone } from '../../../flows/time-zones.ts';
import { type BodyCheck, check, overlongFaults } from '../../../http/body-checks.ts';
import { type ActionTypes, findActionFaults } from './compile.ts';
import type { AutomationReplace } from './resource.ts';
import {
  ENTITY_TRIGGERS,
  isToken,
  MAX_DEFINITION_CHARS,
  MAX_TRIGGER_PARAMS_CHARS,
  TIMEOUT_MS,
  type TriggerType,
} from './schema.ts';
import { findUnknownMembers } from './unknown-members.ts';

const REQUIRED = ['app', 'triggerType', 'name', 'triggerParams'] as const;
const CRON_FIELDS = /^\S+ \S+ \S+ \S+ \S+$/;
const METHODS = ['all', 'get', 'post', 'put'];
const MAX_PATH = 200;
/** A path of URL characters, percent-encoded or not. */
const PATH =
  /^\/?(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+(?:\/(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)*\/?$/;

type Members = Readonly<Record<string, unknown>>;

/** Checks that run before all others; each failure is reported alone. For a replace the path names the key. */
export function firstChecks(hasKey: boolean): readonly BodyCheck<unknown>[] {
  const required = hasKey ? ['key', ...REQUIRED] : REQUIRED;
  return [
    (body) => required.filter((field) => isMissing(body, field)).map(missing),
    (body) => (namesEntityTrigger(body) && isMissing(body, 'entityKey') ? [missing('entityKey')] : []),
  ];
}

/** The remaining checks. Their faults are reported together with those of the schema. */
export function definitionChecks(types: ActionTypes): readonly BodyCheck<AutomationReplace>[] {
  return [
    check(['triggerType', 'triggerParams'], ({ triggerType, triggerParams }) =>
      PARAMS[triggerType](triggerParams).map(({ field, message }) => ({
        field: `triggerParams.${field}`,
        message,
      })),
    ),
    check(
      ['actions', 'conditionalActions', 'on_failure'],
      ({ triggerParams, actions = [], conditionalActions = [], on_failure = [] }): readonly Issue[] => {
        const parts = { triggerParams, actions, conditionalActions, onFailure: on_failure };
        // Skip compiling overlong definitions: thousands of patterns would block the process.
        const faults = overlongFaults('actions', parts, MAX_DEFINITION_CHARS);
        return faults.length > 0 ? faults : findActionFaults(parts, types);
      },
    ),
    check(['triggerType', 'triggerParams', 'actions', 'conditionalActions'], (body) =>
      findUnknownMembers(body, types),
    ),
    // Limited because all automations of a trigger are loaded together.
    check(['triggerParams'], ({ triggerParams }) =>
      overlongFaults('triggerParams', triggerParams, MAX_TRIGGER_PARAMS_CHARS),
    ),
  ];
}

function missing(field: string): Issue {
  return { field, message: 'is required' };
}

function isMissing(body: unknown, field: string): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const value: unknown = Object.getOwnPropertyDescriptor(body, field)?.value;
  return value === undefined || value === null || value === '';
}

function namesEntityTrigger(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('triggerType' in body)) return false;
  return ENTITY_TRIGGERS.some((type) => type === body.triggerType);
}

type Fault = Required<Pick<Issue, 'field' | 'message'>>;
type FindFaults = (params: Members) => readonly Fault[];

const refuseAll: FindFaults = (params) =>
  Object.keys(params).map((field) => ({
    field,
    message: 'is not allowed here: record triggers have no parameters',
  }));

const PARAMS: Readonly<Record<TriggerType, FindFaults>> = {
  afterCreate: refuseAll,
  afterUpdate: refuseAll,
  afterDelete: refuseAll,
  afterWorkflowMove: refuseAll,
  afterWorflowOwnershipTaken: refuseAll,
  cronJob: ({ cronExpression, timezone, timeoutMs }) => [
    ...cronFaults(cronExpression),
    ...zoneFaults(timezone),
    ...timeoutFaults(timeoutMs),
  ],
  mqHandler: ({ queueName, timeoutMs }) => [...queueFaults(queueName), ...timeoutFaults(timeoutMs)],
  webhook: ({ path, method }) => [...pathFaults(path), ...methodFaults(method)],
};

function cronFaults(expression: unknown): Fault[] {
  const field = 'cronExpression';
  if (expression === undefined) return [{ field, message: 'is required' }];
  if (typeof expression !== 'string' || !CRON_FIELDS.test(expression))
    return [{ field, message: 'must have five fields: minute, hour, day of month, month, day of week' }];
  try {
    const next = new Cron(expression, { timezone: 'UTC', mode: '5-part' }).nextRun();
    return next === null ? [{ field, message: 'never occurs' }] : [];
  } catch {
    return [{ field, message: 'must be a valid cron expression' }];
  }
}

function zoneFaults(zone: unknown): Fault[] {
  if (zone === undefined || (typeof zone === 'string' && isZone(zone))) return [];
  return [{ field: 'timezone', message: 'must be an IANA time zone such as Europe/Berlin' }];
}

function timeoutFaults(timeoutMs: unknown): Fault[] {
  if (timeoutMs === undefined) return [];
  const isValid = typeof timeoutMs === 'number' && timeoutMs >= TIMEOUT_MS.min && timeoutMs <= TIMEOUT_MS.max;
  const message = `must be a number from ${TIMEOUT_MS.min} to ${TIMEOUT_MS.max}`;
  return isValid ? [] : [{ field: 'timeoutMs', message }];
}

function queueFaults(name: unknown): Fault[] {
  const field = 'queueName';
  if (name === undefined) return [{ field, message: 'is required' }];
  const isValid = typeof name === 'string' && isToken(name);
  return isValid ? [] : [{ field, message: 'must be a token: letters, digits and _' }];
}

function pathFaults(path: unknown): Fault[] {
  if (path === undefined) return [];
  const isValid =
    typeof path === 'string' &&
    path.length <= MAX_PATH &&
    PATH.test(path) &&
    !path.split('/').some((segment) => segment === '.' || segment === '..');
  return isValid ? [] : [{ field: 'path', message: 'must be a relative path such as /orders/paid' }];
}

function methodFaults(method: unknown): Fault[] {
  if (method === undefined || METHODS.some((each) => each === method)) return [];
  return [{ field: 'method', message: `must be one of ${METHODS.join(', ')}` }];
}
