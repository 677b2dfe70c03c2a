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
    AI: 'Assistants, the threads in which they answer, and vector indexes in which texts are found by meaning. Threads and indexes work without a model provider.',
  },
  examples: { 'ai_assistants.create': assistant, 'ai_assistants.replace': assistant },
};
