import Type from 'typebox';
import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../../http/route.ts';
import { INVALID_SUBSCRIBER } from '../errors.ts';
import { readReach } from './reach.ts';
import { Reach } from './schema.ts';

/** Which mail a subscriber may get (docs/specification/subscribers.md#reach). */
export const reachRoute: Route = defineRoute({
  id: 'subscribers.reach',
  tag: 'Subscribers',
  method: 'GET',
  path: '/api/subscribers/{id}/reach',
  summary: 'Explains which mail may be sent to a subscriber',
  description: 'The checks are those of sending, at the time of the request.',
  access: 'viewer',
  invalid: INVALID_SUBSCRIBER,
  errors: [NOT_FOUND],
  params: Type.Object({ id: Type.String() }),
  reply: Reach,
  handler: (ctx, { params }) => readReach(ctx, params.id),
});
