/**
 * Updates of stored records: `PUT`, and the derived `PATCH`. A body is completed with the stored record before it is
 * checked, so absent members keep their values (docs/specification/conventions.md#updates).
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { carryWritten, mergeWritten, parseExact, selectWritten, writtenMember } from '../db/written-json.ts';
import { AppError } from '../errors/app-error.ts';
import { INVALID_REQUEST, NOT_FOUND, VERSION_CONFLICT } from '../errors/platform-errors.ts';
import { lazy } from '../lazy.ts';
import type { AnyContext } from './context.ts';
import type { Route, RouteInput } from './route.ts';
import { runRoute, type WriteHooks } from './run-route.ts';
import { type Shape, shapesOf } from './schema-shapes.ts';
import { markSent } from './sent-members.ts';
import { removeAbsentNulls } from './unknown-members.ts';
import { type CheckBody, compileBodyCheck } from './validation.ts';

type Members = Readonly<Record<string, unknown>>;

/** Attempts of an update without a version when others write the record at the same time. */
const MAX_ATTEMPTS = 20;
/** The longest pause between two attempts, in ms. */
const MAX_PAUSE_MS = 50;

/** Returns the routes, each update followed by its PATCH. */
export function withPatches(routes: readonly Route[]): readonly Route[] {
  return routes.flatMap((route) => (route.updates ? [route, patchOf(route)] : [route]));
}

function patchOf(route: Route): Route {
  const { id, body, updates } = route;
  if (!body || !updates) throw new Error(`${id} needs a body to be an update.`);
  const { title, required: isRequired = [], ...schema } = Object(body);
  const required = updates.named ? { required: [...updates.named] } : {};
  return {
    ...route,
    id: id.replace(/(?<=\.)(?:put|update|replace|rename)/, 'patch'),
    method: 'PATCH',
    summary: 'Updates the given fields',
    description: 'Like the PUT, but no field is required.',
    body: isRequired.length === 0 ? body : { ...schema, ...required, title: patchTitle(title) },
    patches: id,
  };
}

/** `FormReplace` becomes `FormPatch`. */
function patchTitle(title: unknown): string {
  return `${String(title).replace(/(?:Replace|Update|Put)$/, '')}Patch`;
}

/** Answers an update whose body is still unchecked. */
export function updateRunner(
  route: Route,
): (ctx: AnyContext, input: RouteInput, hooks: WriteHooks) => Promise<unknown> {
  const plan = updatePlanner(route);
  return async (ctx, input, hooks) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { input: checked, unchanged } = await plan(ctx, input);
        return unchanged ?? (await runRoute(route, ctx, checked, hooks));
      } catch (error) {
        const isOvertaken = error instanceof AppError && error.definition === VERSION_CONFLICT;
        if (!isOvertaken || namesVersion(input.body) || attempt === MAX_ATTEMPTS) throw error;
        await sleep(Math.random() * MAX_PAUSE_MS);
      }
    }
  };
}

/** Returns a function that completes and checks the body of an update. @throws AppError for invalid bodies. */
export function updatePlanner(route: Route): (ctx: AnyContext, input: RouteInput) => Promise<PlannedUpdate> {
  const { body: schema, invalid = INVALID_REQUEST, checks, firstChecks } = route;
  if (!schema) throw new Error(`${route.id} needs a body to be an update.`);
  const check = compileBodyCheck(schema, invalid, checks, firstChecks);
  // A PATCH that names no record is checked by its schema alone: the other rules read members that nothing completes.
  const checkNew = route.method === 'PATCH' ? compileBodyCheck(schema, invalid) : check;
  const shapes = lazy(() => shapesOf(schema));
  return (ctx, input) => planUpdate(route, { check, checkNew, shapes }, ctx, input);
}

/** The checks of a route's bodies. */
interface CompiledChecks {
  readonly check: CheckBody;
  /** Checks a body for which no record is stored. */
  readonly checkNew: CheckBody;
  readonly shapes: () => readonly Shape[];
}

/** A completed and checked update. */
export interface PlannedUpdate {
  readonly input: RouteInput;
  /** The response if the body only repeats stored values. */
  readonly unchanged?: object;
}

async function planUpdate(
  route: Route,
  { check, checkNew, shapes }: CompiledChecks,
  ctx: AnyContext,
  input: RouteInput,
): Promise<PlannedUpdate> {
  const sent = toMembers(input.body);
  const current = sent && toMembers(await readCurrent(route, ctx, input));
  if (!sent || !current) {
    if (route.method === 'PUT') removeAbsentNulls(shapes(), input.body);
    const body = checkNew(input.body, ctx.now);
    if (route.method === 'PATCH') throw new AppError(NOT_FOUND);
    return { input: { ...input, body } };
  }
  const completed = complete(route, sent, current);
  // Before the checks: some read only members that the caller sent.
  markSent(completed, Object.keys(sent));
  const body = check(completed, ctx.now);
  const planned = { input: { ...input, body } };
  if (!isUnchanged(route, sent, current)) return planned;
  return { ...planned, unchanged: unchangedResponse(route, current, completed) };
}

/** Returns the stored record. A PUT may create one, so only a PATCH is refused when it is missing. */
async function readCurrent({ method, updates }: Route, ctx: AnyContext, input: RouteInput): Promise<unknown> {
  try {
    return await updates?.current?.(ctx, input);
  } catch (error) {
    if (method === 'PUT' && error instanceof AppError && error.definition.status === 404) return null;
    throw error;
  }
}

/** Adds stored values for members that the body leaves out; those that a PUT requires stay missing. */
function complete(route: Route, sent: Members, current: Members): Members {
  const { method, updates } = route;
  if (method === 'PUT' && updates?.replacesWhole) return sent;
  const excluded = new Set([...requiredOf(route), ...(updates?.keeps ?? []), ...Object.keys(sent)]);
  const written = new Set([...writtenOf(route, current), 'version']);
  const isCompleted = (name: string, value: unknown) =>
    written.has(name) && !excluded.has(name) && value !== undefined;
  return mergeWritten(selectWritten(current, isCompleted), sent);
}

/** Returns true if the body only repeats stored values. */
function isUnchanged(route: Route, sent: Members, current: Members): boolean {
  const { method, updates } = route;
  if (requiredOf(route).some((name) => !Object.hasOwn(sent, name))) return false;
  const isFreePut = method === 'PUT' && updates?.contentOf !== undefined;
  const once = updates?.once?.filter((name) => Object.hasOwn(sent, name)) ?? [];
  const names = [...writtenOf(route, sent), ...(isFreePut ? writtenOf(route, current) : []), ...once];
  const isSame = (name: string) => isSameMember(sent, current, name);
  return names.every(isSame) && (!Object.hasOwn(sent, 'version') || isSame('version'));
}

/** Returns the names of the members of a record or a body that an update writes. */
export function writtenOf({ updates, body }: Route, members: Members): string[] {
  if (updates?.contentOf) return Object.keys(updates.contentOf(members));
  return membersOf(body).filter((name) => Object.hasOwn(members, name));
}

function unchangedResponse({ reply, updates }: Route, current: Members, body: Members): object {
  const all: Members = { ...current, ...updates?.unchanged?.(current, body), success: true };
  const names = membersOf(reply).filter((name) => all[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

function requiredOf({ method, body }: Route): readonly string[] {
  return method === 'PUT' && body && 'required' in body && Array.isArray(body.required) ? body.required : [];
}

function membersOf(schema: TSchema | undefined): string[] {
  return schema && 'properties' in schema ? Object.keys(Object(schema.properties)) : [];
}

function namesVersion(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'version' in body;
}

/** Returns true if a member of two objects is the same as JSON, with all digits of its numbers. */
export function isSameMember(one: Members, other: Members, name: string): boolean {
  return isDeepStrictEqual(asJson(one, name), asJson(other, name));
}

/**
 * A member as JSON has it: without undefined members, and with all digits of its numbers. An absent one counts as null.
 */
function asJson(members: Members, name: string): unknown {
  const value = Object.hasOwn(members, name) ? writtenMember(members, name) : null;
  // In a list, as only numbers in one are compared with all of their digits.
  return parseExact(JSON.stringify([value]));
}

function toMembers(value: unknown): Members | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  // Without a prototype, as a member may have the name of an inherited one.
  return isObject ? carryWritten(value, Object.assign(Object.create(null), value)) : null;
}
