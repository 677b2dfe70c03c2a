import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { assistants } from './resource.ts';

const travelDesk: Static<typeof assistants.replaceBody> = {
  name: 'Travel desk',
  description: 'Answers questions about journeys.',
  llmConfiguration: {
    system: 'You answer questions about journeys, briefly.',
    temperature: 0.3,
    model: 'llm-3-5-sonnet-20240620',
    max_tokens: 1000,
    tools: [
      {
        name: 'find_trains',
        description: 'Finds trains between two stations.',
        input_schema: {
          type: 'object',
          properties: { from: { type: 'string' }, to: { type: 'string' } },
          required: ['from', 'to'],
        },
      },
    ],
  },
};

export const examples: FeatureExamples = {
  records: {
    assistant: { path: '/api/ai/assistants/{id}', createdBy: 'ai_assistants.create', absent: randomUUID },
  },
  requests: {
    'ai_assistants.create': body(assistants.createBody)(travelDesk),
    'ai_assistants.list': { query: (name) => ({ business_unit: name('unit') }) },
    'ai_assistants.replace': body(assistants.replaceBody)(travelDesk),
  },
};
