import type { MemberContext } from '../../http/context.ts';
import { readDayFigures } from '../../overview/hourly-counts.ts';
import {
  type Attention,
  type AttentionItem,
  type OverviewPart,
  type RunningItem,
  SEVERITIES,
} from '../../overview/overview-part.ts';
import { getTenant } from '../../tenancy/find-tenant.ts';
import { MAX_PER_SOURCE, type Overview } from './schema.ts';

/** Returns the overview of what the caller sees. Its groups are read concurrently, each part after the other. */
export async function readOverview(ctx: MemberContext, parts: readonly OverviewPart[]): Promise<Overview> {
  const [attention, running, today, setup] = await Promise.all([
    findAttention(ctx, parts),
    findRunning(ctx, parts),
    readToday(ctx, parts),
    readSetup(ctx, parts),
  ]);
  return { ...attention, running, today, setup };
}

async function findAttention(ctx: MemberContext, parts: readonly OverviewPart[]) {
  const found: Attention[] = [];
  for (const find of parts.flatMap(({ attention = [] }) => attention))
    found.push(await find(ctx, MAX_PER_SOURCE));
  return {
    attention: found
      .flatMap(({ items }) => items)
      .sort(byUrgency)
      .map(toItem),
    attention_total: found.reduce((sum, { total }) => sum + total, 0),
  };
}

function byUrgency(a: AttentionItem, b: AttentionItem): number {
  const rank = ({ severity }: AttentionItem) => SEVERITIES.indexOf(severity);
  return rank(a) - rank(b) || Date.parse(b.since) - Date.parse(a.since);
}

function toItem({ entityType, ownerBuId, ...item }: AttentionItem) {
  return { entity_type: entityType, ...item, business_unit: ownerBuId };
}

async function findRunning(ctx: MemberContext, parts: readonly OverviewPart[]) {
  const found: RunningItem[] = [];
  for (const find of parts.flatMap(({ running = [] }) => running))
    found.push(...(await find(ctx, MAX_PER_SOURCE)));
  return found.map(({ startedAt, ...item }) => ({ ...item, started_at: startedAt }));
}

async function readToday({ db, caller, now }: MemberContext, parts: readonly OverviewPart[]) {
  const figures = parts
    .flatMap(({ today = [] }) => today)
    .map(({ name, subjectsOf }) => ({ name, subjects: subjectsOf(caller) }))
    .filter(({ subjects }) => subjects.length > 0);
  if (figures.length === 0) return {};
  const counted = {
    names: figures.map(({ name }) => name),
    subjectIds: [...new Set(figures.flatMap(({ subjects }) => subjects))],
  };
  const { time_zone } = await getTenant(db);
  return Object.fromEntries(await readDayFigures(db, counted, time_zone, now));
}

async function readSetup(ctx: MemberContext, parts: readonly OverviewPart[]) {
  if (!ctx.caller.isTenantAdmin) return {};
  const steps: [string, boolean][] = [];
  for (const { name, isDone } of parts.flatMap(({ setup = [] }) => setup))
    steps.push([name, await isDone(ctx)]);
  return Object.fromEntries(steps);
}
