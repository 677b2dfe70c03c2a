import type { ReferenceTexts } from '../../feature.ts';

const assistant = {
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

/** Reference texts: introductions of the tags, and example bodies. */
export const reference: ReferenceTexts = {
  tags: {
    AI: 'Assistants, threads and vector indexes. Threads and indexes need no model provider.',
  },
  examples: { 'ai_assistants.create': assistant, 'ai_assistants.replace': assistant },
};
