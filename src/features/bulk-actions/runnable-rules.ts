/** The actions of rules with the routes that they use. */
import type { AnyContext } from '../../http/context.ts';
import type { Route, RouteInput } from '../../http/route.ts';
import { type PlannedUpdate, updatePlanner, withPatches } from '../../http/updates.ts';
import type { BulkAction, BulkRule } from '../../resources/bulk-rules.ts';
import type { Feature } from '../feature.ts';

type Write = NonNullable<Route['write']>;

/** The route of an action. */
export interface ActionRoute {
  readonly access: Route['access'];
  readonly write: Write;
  /** Completes and checks the body of a change; absent for deletions. */
  readonly plan?: (ctx: AnyContext, input: RouteInput) => Promise<PlannedUpdate>;
  /** Reads the record that a change begins with. */
  readonly current?: (ctx: AnyContext, input: RouteInput) => Promise<object | null>;
}

/** An action that can run. */
export interface RunnableAction {
  readonly action: BulkAction;
  /** Absent for actions that run by themselves. */
  readonly route?: ActionRoute;
}

/** A rule whose actions can run, by their names. */
export interface RunnableRule {
  readonly rule: BulkRule;
  readonly actions: ReadonlyMap<string, RunnableAction>;
}

/** Returns the rules of features with their routes. @throws Error for a route that is missing or cannot be used. */
export function runnableRules(features: readonly Feature[]): readonly RunnableRule[] {
  const routes = new Map(features.flatMap((feature) => feature.routes).map((route) => [route.id, route]));
  return features
    .flatMap(({ bulks = [] }) => bulks)
    .map((rule) => ({
      rule,
      actions: new Map(rule.actions.map((action) => [action.name, { action, ...routeOf(routes, action) }])),
    }));
}

/** True if a route can run in a part, which is a transaction in which nothing else can be awaited. */
export function onlyWrites(route: Route): boolean {
  return !(route.prepare || route.patterns || route.targets || route.changesTables);
}

function routeOf(routes: ReadonlyMap<string, Route>, action: BulkAction): { route?: ActionRoute } {
  if ('run' in action) return {};
  const id = 'deletedBy' in action ? action.deletedBy : action.updatedBy;
  const route = routes.get(id);
  if (!route?.write || !onlyWrites(route))
    throw new Error(`The action ${action.name} needs a route ${id} that only writes.`);
  const { access, write } = route;
  if ('deletedBy' in action) return { route: { access, write } };
  const patch = withPatches([route]).find(({ method }) => method === 'PATCH');
  const current = patch?.updates?.current;
  if (!patch || !current)
    throw new Error(`The action ${action.name} needs a route ${id} that updates records.`);
  return {
    route: { access, write, plan: updatePlanner(patch), current: (ctx, input) => current(ctx, input) },
  };
}
