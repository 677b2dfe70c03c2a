import type { Static } from 'typebox';
import { getRecord } from '../../resources/records.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { Feature } from '../feature.ts';
import { reference } from './reference.ts';
import { assistants } from './resource.ts';
import { routes } from './routes.ts';
import type { Knowledge, LlmConfiguration } from './schema.ts';

/** What a model is told before it answers. */
export const aiAssistants: Feature = { name: 'ai-assistants', reference, routes };

/** An assistant as whoever has it answer needs it. */
export interface AssistantFacts {
  readonly id: string;
  readonly llmConfiguration: Static<typeof LlmConfiguration>;
  readonly knowledge: Static<typeof Knowledge>;
}

/** The assistant. @throws AppError NOT_FOUND */
export async function getAssistant(db: ScopedDb, id: string): Promise<AssistantFacts> {
  const { llm_configuration, knowledge } = await getRecord(db, assistants, id);
  return { id, llmConfiguration: llm_configuration, knowledge };
}
