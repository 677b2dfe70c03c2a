import type { Static } from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { getRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Feature } from '../../feature.ts';
import { isActiveUnit, listAssistantIds } from './queries.ts';
import { reference } from './reference.ts';
import { assistants } from './resource.ts';
import { routes } from './routes.ts';
import type { Knowledge, LlmConfiguration } from './schema.ts';

export { TokenBudget } from './schema.ts';

/** What a model is told before it answers. */
export const aiAssistants: Feature = {
  name: 'ai-assistants',
  reference,
  routes,
  restores: [{ resource: assistants, by: 'ai_assistants.create' }],
};

/** An assistant as whoever has it answer needs it. */
export interface AssistantFacts {
  readonly id: string;
  /** The unit that owns it, its threads and what it may look up. */
  readonly unitId: string;
  readonly llmConfiguration: Static<typeof LlmConfiguration>;
  readonly knowledge: Static<typeof Knowledge>;
  /** Tokens that it may use in a month; null: no limit. */
  readonly tokenBudget: number | null;
}

/**
 * The assistant that a key means among those of some units: the only one of this name, or else the only one that there is; null: there is
 * none.
 */
export async function findAssistantByKey(
  db: ScopedDb,
  unitIds: readonly string[],
  key: string,
): Promise<AssistantFacts | null> {
  const named = await listAssistantIds(db, unitIds, key);
  const [id, ...others] = named.length > 0 ? named : await listAssistantIds(db, unitIds);
  return id === undefined || others.length > 0 ? null : getAssistant(db, id);
}

/** The assistant. @throws AppError NOT_FOUND, also for one of an archived unit where `db` reaches the whole tenant. */
export async function getAssistant(db: ScopedDb, id: string): Promise<AssistantFacts> {
  const row = await getRecord(db, assistants, id);
  const { owner_bu_id: unitId, llm_configuration, knowledge, monthly_token_budget: tokenBudget } = row;
  if (!(await isActiveUnit(db, unitId))) throw new AppError(assistants.notFound);
  return { id, unitId, llmConfiguration: llm_configuration, knowledge, tokenBudget };
}
