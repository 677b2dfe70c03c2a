/** Monthly token budgets of tenants and assistants (docs/specification/ai.md#budgets). */
import { AppError } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { AssistantConfig } from '../ai-assistants/index.ts';
import { TOKEN_BUDGET_EXCEEDED } from './errors.ts';
import { findBudget, saveBudget } from './queries.ts';
import type { BudgetBody, BudgetReply } from './schema.ts';

/**
 * Checks the budgets before a model is called. Answers count when they end, so those in progress may exceed a budget.
 * @throws AppError TOKEN_BUDGET_EXCEEDED.
 */
export async function requireBudget(
  db: ScopedDb,
  now: Date,
  { id, tokenBudget }: AssistantConfig,
): Promise<void> {
  const found = await findBudget(db, monthOf(now), id);
  if (tokenBudget !== null && found.usedByAssistant >= tokenBudget) throw exceeded('the assistant', now);
  if (found.budget !== null && found.used >= found.budget) throw exceeded('the tenant', now);
}

/** Returns the tenant's budget and usage. */
export async function readBudget({ db, now }: MemberContext): Promise<BudgetReply> {
  const { budget, used } = await findBudget(db, monthOf(now));
  return { monthly_token_budget: budget, used_tokens: used };
}

/** Sets the tenant's budget. */
export async function setBudget(ctx: MemberContext, body: BudgetBody): Promise<BudgetReply> {
  await saveBudget(ctx.db, body.monthly_token_budget);
  return readBudget(ctx);
}

function exceeded(owner: string, now: Date): AppError {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return new AppError(TOKEN_BUDGET_EXCEEDED, {
    message: `The monthly token budget of ${owner} is used up. Raise monthly_token_budget, or wait until the next month.`,
    retryAfterSeconds: Math.ceil((next - now.getTime()) / 1000),
  });
}

/** Returns the first day of the month. */
function monthOf(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}
