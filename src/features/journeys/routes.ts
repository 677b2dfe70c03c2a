import Type from 'typebox';
import { FORBIDDEN, INVALID_STATUS, NOT_FOUND } from '../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../http/body-limit.ts';
import { RENDERINGS_PER_MINUTE } from '../../http/request-deadline.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { IdReply } from '../../http/schemas.ts';
import { readFilters } from '../../resources/filters.ts';
import { answerSortedPage } from '../../resources/large-lists.ts';
import { listFacts } from '../../resources/list-order.ts';
import { LIST_CHECKS, type ListBody, listMembers, readListBody } from '../../resources/list-queries.ts';
import { listRoute } from '../../resources/list-routes.ts';
import { Filters, orderedPage, type PageReply } from '../../resources/paging.ts';
import { getRecord } from '../../resources/records.ts';
import { routeProperties } from '../../resources/route-parts.ts';
import { createRoute, deleteRoute, replaceRoute } from '../../resources/routes.ts';
import { withMore } from '../../resources/view.ts';

import { ALREADY_IN_JOURNEY } from './errors.ts';
import { type JourneyRow, journeys, states } from './resource.ts';
import { Counts, EnterBody, EnterReply } from './schema.ts';
import {
  cleanUpDeletedJourney,
  ENTER_CHECKS,
  enterJourney,
  exitState,
  getState,
  JOURNEY_CHECKS,
  journeyTargets,
  newJourneyColumns,
  prepareJourney,
  replacedJourneyColumns,
} from './service.ts';
import { SimulateBody, SimulationReply } from './simulation/schema.ts';
import { SIMULATE_CHECKS, simulate } from './simulation/simulation.ts';
import { countsOf } from './states/counts.ts';

const tag = 'Journeys';
const family = {
  path: '/api/journeys',
  id: 'journeys',
  tag,
  noun: 'journey',
  maxBodyBytes: CONTENT_BODY_BYTES,
} as const;
const journeyParams = Type.Object({ id: Type.String() });
const stateParams = Type.Object({ id: Type.String(), state_id: Type.String() });
const withCounts = Type.Object({ counts: Counts });

const StatesBody = Type.Unsafe<ListBody>(
  Type.Object({ ...listMembers, filters: Type.Optional(Filters) }, { title: 'JourneyStateListQuery' }),
);
const { fields: stateFilters, operations } = states.filters;
/** Filters without `journey_id`: the path names the journey. */
const { journey_id: _journey, ...stateListFilters } = stateFilters;

/** Journeys (docs/specification/journeys.md#journey). */
export const routes: readonly Route[] = [
  createRoute(journeys, family, {
    checks: JOURNEY_CHECKS,
    targets: journeyTargets,
    prepare: prepareJourney,
    options: ({ prepared }) => ({ key: prepared.id }),
    columns: (ctx, { body, prepared }) => newJourneyColumns(ctx, body, prepared.id),
  }),
  listRoute(journeys, family, {
    more: withCounts,
    itemTitle: 'Journey',
    extend: async ({ db }, ids) => (await countsOf(db, ids)).map((counts) => ({ counts })),
  }),
  defineRoute({
    ...routeProperties('get', journeys, family, {}),
    reply: Type.Unsafe<object>(withMore(journeys.reply, withCounts.properties, 'Journey')),
    handler: async ({ db }, { params }) => {
      const journey: JourneyRow = await getRecord(db, journeys, idOf(params));
      const [counts] = await countsOf(db, [journey.id]);
      return { ...journeys.view(journey), counts };
    },
  }),
  replaceRoute(journeys, family, {
    checks: JOURNEY_CHECKS,
    targets: journeyTargets,
    columns: (ctx, { body }, current) => replacedJourneyColumns(ctx, body, current),
  }),
  deleteRoute(journeys, family, {
    summary: 'Deletes a journey; active states become `exited`, history stays readable',
    after: cleanUpDeletedJourney,
  }),
  defineRoute({
    id: 'journeys.enter',
    method: 'POST',
    path: '/api/journeys/{id}/enter',
    summary: 'Enrolls a subscriber',
    tag,
    access: 'editor',
    errors: [NOT_FOUND, FORBIDDEN, INVALID_STATUS, ALREADY_IN_JOURNEY],
    params: journeyParams,
    body: EnterBody,
    checks: ENTER_CHECKS,
    reply: EnterReply,
    write: (ctx, { params, body }) => enterJourney(ctx, params.id, body),
  }),
  defineRoute({
    id: 'journeys.simulate',
    readsOnly: true,
    method: 'POST',
    path: '/api/journeys/{id}/simulate',
    summary: 'Simulates a journey on a virtual clock',
    description: 'The clock starts at `start_at`. The response includes each rendered mail.',
    tag,
    access: 'viewer',
    rateLimit: { limit: RENDERINGS_PER_MINUTE, windowSeconds: 60, per: 'caller' },
    errors: [NOT_FOUND],
    params: journeyParams,
    body: SimulateBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: SIMULATE_CHECKS,
    reply: SimulationReply,
    handler: (ctx, { params, body }) => simulate(ctx, params.id, body),
  }),
  defineRoute({
    id: 'journeys.list_states',
    readsOnly: true,
    method: 'POST',
    path: '/api/journeys/{id}/states/list',
    summary: 'Lists the states of subscribers, newest first',
    description: `Filters: ${Object.keys(stateListFilters).join(', ')}. Operations: ${operations.join(', ')}.`,
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: journeyParams,
    filters: { fields: stateListFilters, operations },
    ...listFacts(states),
    body: StatesBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: LIST_CHECKS,
    reply: Type.Unsafe<PageReply<object>>(orderedPage(states.listReply)),
    handler: async ({ db }, { params, body }) => {
      const { id } = await getRecord(db, journeys, params.id);
      readFilters({ fields: stateListFilters, operations }, body.filters ?? {});
      const ofJourney = { journey_id: { operation: 'eq', value: id } };
      return answerSortedPage(db, states, { ...readListBody(body), added: ofJourney });
    },
  }),
  defineRoute({
    id: 'journeys.get_state',
    method: 'GET',
    path: '/api/journeys/{id}/states/{state_id}',
    summary: "Reads a subscriber's state with its history",
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: stateParams,
    reply: states.reply,
    handler: async (ctx, { params }) => states.view((await getState(ctx, params.id, params.state_id)).state),
  }),
  defineRoute({
    id: 'journeys.exit_state',
    method: 'POST',
    path: '/api/journeys/{id}/states/{state_id}/exit',
    summary: 'Removes a subscriber from the journey',
    tag,
    access: 'editor',
    errors: [NOT_FOUND, FORBIDDEN, INVALID_STATUS],
    params: stateParams,
    reply: IdReply,
    write: (ctx, { params }) => exitState(ctx, params.id, params.state_id),
  }),
];

function idOf(params: object): string {
  return 'id' in params ? String(params.id) : '';
}
