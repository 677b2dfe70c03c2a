/** Who is in which computed audience: looked at for people who are held meanwhile, all of them at once. */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { getEmailSettings } from '../email-settings/index.ts';
import {
  applyMembers,
  type ComputedAudience,
  findComputedAudiences,
  type MemberChange,
  type Problems,
} from '../subscriber-groups/index.ts';
import {
  type AskedAudience,
  type Definitions,
  type HeldPerson,
  matchPeople,
  PEOPLE,
} from '../subscribers/index.ts';
import { compileFilters, usesOf } from './filters.ts';

/** Audiences whose conditions are asked in one statement: it takes longer to plan, the more they are. */
const AUDIENCES_AT_ONCE = 50;

/** An audience as it is asked for now; without filters it has no conditions. */
interface CompiledAudience extends AskedAudience {
  readonly problems: Problems;
}

/** Who comes, goes, and stays for another reason than before. */
type Changes = Record<'come' | 'gone' | 'kept', MemberChange[]>;

/** Who is looked at for what. */
interface Occasion {
  /** The audiences; absent: all. */
  readonly audienceIds?: readonly string[];
  /** When people were changed for whom that is the reason. */
  readonly changedAt?: ReadonlyMap<string, Date>;
  /** When those came who are found; absent: when they were changed. */
  readonly cameAt?: Date;
}

/**
 * Puts people into the computed audiences whose filters they meet and takes them out of the others. The transaction holds
 * the people already: what is read of them and of the audiences after that is what whoever comes next finds, too.
 * Returns the conditions of these audiences that cannot be met.
 */
export async function evaluatePeople(
  tx: ScopedDb,
  people: readonly HeldPerson[],
  now: Date,
  occasion: Occasion = {},
): Promise<Problems> {
  const audiences = await compileAudiences(tx, now, occasion.audienceIds);
  if (audiences.length > 0 && people.length > 0) await placePeople(tx, people, audiences, occasion, now);
  return audiences.flatMap(({ problems }) => problems);
}

async function placePeople(
  tx: ScopedDb,
  people: readonly HeldPerson[],
  audiences: readonly CompiledAudience[],
  { changedAt = new Map(), cameAt }: Occasion,
  now: Date,
): Promise<void> {
  const active = new Map(people.map((person) => [person.id, person.active]));
  const changes: Changes = { come: [], gone: [], kept: [] };
  for (let from = 0; from < audiences.length; from += AUDIENCES_AT_ONCE) {
    const some = audiences.slice(from, from + AUDIENCES_AT_ONCE);
    for (const { id, met, held, named } of await matchPeople(tx, [...active.keys()], some)) {
      if (met === held && !named.includes('1')) continue;
      for (const [place, { id: group_id, conditions }] of some.entries()) {
        const [isMet, isIn, isNamed] = [met[place] === '1', held[place] === '1', named[place] === '1'];
        const change = {
          ...{ group_id, subscriber_id: id, active: active.get(id) ?? false },
          joined_at: changedAt.get(id) ?? null,
          came_at: cameAt ?? changedAt.get(id) ?? now,
        };
        // Without filters those stay who name it.
        if (isIn && !isMet && !(isNamed && conditions === null)) changes.gone.push(change);
        if (isMet && !isIn) changes.come.push(change);
        if (isMet && isNamed) changes.kept.push(change);
      }
    }
  }
  await applyMembers(tx, changes, now);
}

/** The conditions of these audiences that nobody can meet, as fields are defined now; members may not be computed yet. */
export async function findUnmetConditions(
  db: ScopedDb,
  audienceIds: readonly string[],
  now: Date,
): Promise<Problems> {
  if (audienceIds.length === 0) return [];
  return (await compileAudiences(db, now, audienceIds)).flatMap(({ problems }) => problems);
}

async function compileAudiences(
  tx: ScopedDb,
  now: Date,
  audienceIds: readonly string[] | undefined,
): Promise<CompiledAudience[]> {
  const audiences = await findComputedAudiences(tx, audienceIds);
  const asksFields = audiences.some(({ filters }) => usesOf(filters).uses_fields);
  const definitions = asksFields ? (await getEmailSettings(tx)).subscriber_additional_fields : {};
  return audiences.map((audience) => compileAudience(audience, definitions, now));
}

/** An audience has people of its own unit. */
function compileAudience(
  { id, owner_bu_id, filters }: ComputedAudience,
  definitions: Definitions,
  now: Date,
): CompiledAudience {
  if (filters === null) return { id, conditions: null, problems: [] };
  const { conditions, problems } = compileFilters(filters, definitions, now);
  return { id, conditions: [isOfUnit(owner_bu_id), ...conditions], problems };
}

function isOfUnit(unitId: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${PEOPLE}.owner_bu_id`)} = ${unitId}::uuid`;
}
