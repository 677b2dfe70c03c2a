import Type from 'typebox';
import { CONFIRMATION_REQUIRED, COUNT_CHANGED, FORBIDDEN, NOT_FOUND } from '../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../http/body-limit.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import type { BulkRule } from '../../resources/bulk-rules.ts';
import { keyFrom } from '../../resources/route-parts.ts';
import type { BulkOperation } from './bulk-operation.ts';
import type { RunnableRule } from './runnable-rules.ts';
import { BulkReply, bulkBody, bulkChecks } from './schema.ts';
import { runBulkAction } from './service.ts';

/** Returns the route of the actions on many records of a kind (docs/specification/bulk-actions.md#run). */
export function bulkRoute(runnable: RunnableRule, operation: BulkOperation): Route {
  const { rule } = runnable;
  const { path, id, tag, noun, accessUnit, envelope, resource } = rule;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const filters = Object.keys(resource.filters.fields).join(', ');
  return defineRoute({
    id: `${id}.bulk`,
    method: 'POST',
    path: `${path}/bulk`,
    summary: `Changes many ${noun}`,
    description: `Starts an operation. Call it with \`dry_run\` first, which counts the selected ${noun}. Filters: ${filters}.`,
    tag,
    access: accessOf(rule),
    ...(accessUnit && { accessUnit }),
    ...(envelope && { envelope }),
    errors: [
      FORBIDDEN,
      COUNT_CHANGED,
      ...(rule.actions.some(({ needsConfirmation }) => needsConfirmation) ? [CONFIRMATION_REQUIRED] : []),
      ...(names.length > 0 ? [NOT_FOUND] : []),
    ],
    ...(names.length > 0 && {
      params: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))),
    }),
    body: bulkBody(rule),
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: bulkChecks(rule),
    reply: BulkReply,
    write: (ctx, { params, body }) =>
      runBulkAction(ctx, operation, runnable, keyFrom(resource, params), body),
  });
}

/** A caller needs at least the least role of an action. */
function accessOf({ access, actions }: BulkRule): 'editor' | 'admin' | 'owner' {
  return access ?? (actions.every(({ role }) => role === 'admin') ? 'admin' : 'editor');
}
