import { sql } from 'kysely';
import type { Time } from '../../../db/tables.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import type { UsageReply } from './schema.ts';

interface UsageTable {
  tenant_id: string;
  day: Time;
  assistant_id: string;
  owner_bu_id: string;
  model: string;
  requests: number;
  input_tokens: number;
  output_tokens: number;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    ai_usage: UsageTable;
    ai_budgets: { tenant_id: string; monthly_token_budget: number | null };
  }
}

/** The cost of an answer. */
export interface AnswerCost {
  readonly assistantId: string;
  readonly unitId: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Adds an answer to the usage. */
export async function addUsage(db: ScopedDb, now: Date, cost: AnswerCost): Promise<void> {
  await db.raw(
    (tenantId) => sql`
      insert into ai_usage as u (tenant_id, day, assistant_id, owner_bu_id, model, requests, input_tokens, output_tokens)
      select tenant_row.tenant_id, ${now.toISOString().slice(0, 10)}::date, ${cost.assistantId}::uuid, ${cost.unitId}::uuid,
        ${cost.model}, 1, ${cost.inputTokens}::bigint, ${cost.outputTokens}::bigint
      from ${tenantRow(tenantId)}
      on conflict (tenant_id, day, assistant_id, model) do update set requests = u.requests + 1,
        input_tokens = u.input_tokens + excluded.input_tokens,
        output_tokens = u.output_tokens + excluded.output_tokens`,
  );
}

/** Lists the usage of the scope's assistants between two days, inclusive, most expensive first. */
export async function listUsage(db: ScopedDb, from: string, to: string): Promise<UsageReply['results']> {
  return db.query
    .selectFrom('ai_usage')
    .select(['assistant_id', 'model', sql<number>`sum(requests)::bigint`.as('requests')])
    .select(sql<number>`sum(input_tokens)::bigint`.as('input_tokens'))
    .select(sql<number>`sum(output_tokens)::bigint`.as('output_tokens'))
    .where(sql<boolean>`day between ${from}::date and ${to}::date`)
    .groupBy(['assistant_id', 'model'])
    .orderBy(sql`sum(input_tokens + output_tokens) desc, assistant_id, model`)
    .execute();
}

/** Returns the tenant's budget and its tokens since a day; optionally also those of one assistant. */
export async function findBudget(
  db: ScopedDb,
  since: string,
  assistantId: string | null = null,
): Promise<{ budget: number | null; used: number; usedByAssistant: number }> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ budget: number | null; used: number; usedByAssistant: number }>`
      select (select monthly_token_budget from ai_budgets where tenant_id = ${tenantId}::uuid) as budget,
        coalesce(sum(input_tokens + output_tokens), 0)::bigint as used,
        coalesce(sum(input_tokens + output_tokens) filter (where assistant_id = ${assistantId}::uuid), 0)::bigint
          as "usedByAssistant"
      from ai_usage where tenant_id = ${tenantId}::uuid and day >= ${since}::date`,
  );
  return rows[0] ?? { budget: null, used: 0, usedByAssistant: 0 };
}

/** Sets the tenant's budget. */
export async function saveBudget(db: ScopedDb, budget: number | null): Promise<void> {
  await db.query
    .insertInto('ai_budgets')
    .values({ tenant_id: db.tenantId, monthly_token_budget: budget })
    .onConflict((conflict) => conflict.columns(['tenant_id']).doUpdateSet({ monthly_token_budget: budget }))
    .execute();
}
