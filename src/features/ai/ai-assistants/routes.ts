import type { Static } from 'typebox';
import type { Issue } from '../../../errors/app-error.ts';
import { VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { check } from '../../../http/body-checks.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { Route } from '../../../http/route.ts';
import { byUnit, queryListRoute } from '../../../resources/list-routes.ts';
import { ownerOfNew } from '../../../resources/ownership.ts';
import { getRecord } from '../../../resources/records.ts';
import { optionsOf } from '../../../resources/route-parts.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../../resources/routes.ts';
import { requireKnowledge } from '../ai-indexes/index.ts';
import { assistants } from './resource.ts';
import type { Knowledge, LlmConfiguration } from './schema.ts';

const family = {
  path: '/api/ai/assistants',
  id: 'ai_assistants',
  tag: 'AI',
  noun: 'assistant',
  saysSuccess: 'alone',
  maxBodyBytes: CONTENT_BODY_BYTES,
} as const;

const rules = {
  checks: [
    check(
      ['llmConfiguration.tools'],
      ({ llmConfiguration: { tools = [] } }: { llmConfiguration: Static<typeof LlmConfiguration> }) =>
        repeatedNames(tools.map(({ name }) => name)),
    ),
  ],
  errors: [VALIDATION_ERROR],
};

interface WithKnowledge {
  readonly knowledge?: Static<typeof Knowledge>;
}

async function prepareNew({ db, caller }: MemberContext, body: WithKnowledge): Promise<void> {
  const { knowledge = [] } = body;
  if (knowledge.length === 0) return;
  const { businessUnit } = optionsOf(assistants, body);
  await requireKnowledge(db, ownerOfNew({ kind: 'member', caller }, undefined, businessUnit), knowledge);
}

async function prepareReplacement(
  { db }: MemberContext,
  { knowledge = [] }: WithKnowledge,
  key: readonly string[],
): Promise<void> {
  if (knowledge.length === 0) return;
  const { owner_bu_id: unitId } = await getRecord(db, assistants, key);
  await requireKnowledge(db, unitId, knowledge);
}

/** Routes of assistants (docs/specification/ai.md#assistants). */
export const routes: readonly Route[] = [
  createRoute(assistants, family, { ...rules, prepare: prepareNew }),
  queryListRoute(assistants, family, byUnit),
  getRoute(assistants, family),
  replaceRoute(assistants, family, { ...rules, prepare: prepareReplacement }),
  deleteRoute(assistants, family),
];

/** Names must be unique because a model calls a tool by its name. */
function repeatedNames(names: readonly string[]): Issue[] {
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [{ field: `llmConfiguration.tools[${index}].name`, message: 'must be unique among the tools' }],
  );
}
