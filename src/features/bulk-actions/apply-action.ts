/** Applies an action to the records of a part, each by the kind's own routes. */
import { AppError } from '../../errors/app-error.ts';
import { FORBIDDEN, VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import type { RouteInput } from '../../http/route.ts';
import { requestOfPart } from '../../long-operations/part-request.ts';
import type { BulkContext, BulkRule } from '../../resources/bulk-rules.ts';
import { sortKeyOf } from '../../resources/keys.ts';
import { namedParts } from '../../resources/restored-records.ts';
import type { ActionRoute, RunnableAction } from './runnable-rules.ts';

/** Results of the records of a part. */
export interface Outcome {
  readonly changed: number;
  readonly unchanged: number;
  /** The keys in history of changed and deleted records; none for actions that do something else. */
  readonly written: readonly string[];
  /** Records that a rule refuses, and why. */
  readonly refused: readonly { readonly key: string; readonly message: string }[];
}

/** The keys of records. */
type Keys = readonly (readonly string[])[];

/**
 * Applies an action in the open transaction. A refused record stays as it is; the others are changed.
 * @throws AppError VERSION_CONFLICT if somebody else has just written a record: the part must be repeated.
 */
export async function applyAction(
  ctx: BulkContext,
  { resource }: BulkRule,
  { action, route }: RunnableAction,
  members: Readonly<Record<string, unknown>>,
  keys: Keys,
): Promise<Outcome> {
  if ('run' in action) {
    const changed = await action.run(ctx, keys);
    return { changed, unchanged: keys.length - changed, written: [], refused: [] };
  }
  if (!route) throw new Error(`The action ${action.name} has no route.`);
  // The starter was an owner then.
  if (route.access === 'owner' && !ctx.caller.isTenantAdmin) return refusedAll(resource, keys);
  const patchOf = 'patch' in action ? (record: object) => action.patch({ ...record }, members) : null;
  let unchanged = 0;
  const written: string[] = [];
  const refused: { key: string; message: string }[] = [];
  for (const key of keys) {
    const sortKey = sortKeyOf(resource.key, key);
    try {
      const params = namedParts(resource, key);
      const isChanged = await ctx.db.savepoint((db) =>
        write(requestOfPart({ ...ctx, db }), route, params, patchOf),
      );
      if (isChanged) written.push(sortKey);
      else unchanged += 1;
    } catch (error) {
      if (!(error instanceof AppError) || error.definition === VERSION_CONFLICT) throw error;
      refused.push({ key: sortKey, message: messageOf(error) });
    }
  }
  return { changed: written.length, unchanged, written, refused };
}

function refusedAll({ key }: BulkRule['resource'], keys: Keys): Outcome {
  const { message } = new AppError(FORBIDDEN);
  return {
    changed: 0,
    unchanged: 0,
    written: [],
    refused: keys.map((parts) => ({ key: sortKeyOf(key, parts), message })),
  };
}

/** Deletes or changes a record; returns false if it already has the values. */
async function write(
  ctx: MemberContext,
  { write: run, plan, current }: ActionRoute,
  params: Readonly<Record<string, string>>,
  patchOf: ((record: object) => object) | null,
): Promise<boolean> {
  const input: RouteInput = { params, query: {}, body: undefined };
  if (!plan || !current || !patchOf) {
    await run(ctx, input, undefined);
    return true;
  }
  const body = patchOf(Object(await current(ctx, input)));
  const planned = await plan(ctx, { ...input, body });
  if (planned.unchanged) return false;
  await run(ctx, planned.input, undefined);
  return true;
}

/** The reason of a refusal in one sentence. */
function messageOf({ message, issues = [] }: AppError): string {
  const [first] = issues;
  if (first === undefined) return message;
  return first.field === undefined ? first.message : `${first.field} ${first.message}`;
}
