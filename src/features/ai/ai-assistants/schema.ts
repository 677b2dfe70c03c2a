import Type from 'typebox';

const Tool = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 128, description: 'Unique within the assistant.' }),
    description: Type.String({ maxLength: 10_000 }),
    input_schema: Type.Object(
      {
        type: Type.Literal('object'),
        properties: Type.Record(Type.String(), Type.Unknown()),
        required: Type.Array(Type.String(), { maxItems: 1000 }),
      },
      {
        title: 'ToolInputSchema',
        additionalProperties: true,
        description: "JSON Schema of the tool's input; other keywords are stored.",
      },
    ),
  },
  { title: 'AssistantTool' },
);

/** Settings of the model (docs/specification/ai.md#assistants), stored and returned unchanged. */
export const LlmConfiguration = Type.Object(
  {
    system: Type.String({ maxLength: 1_000_000, description: 'System prompt.' }),
    temperature: Type.Number({ minimum: 0, maximum: 1 }),
    model: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'llm-3-opus-20240229, llm-3-5-sonnet-20240620, llm-3-sonnet-20240229, llm-3-haiku-20240307, or any model of the provider.',
    }),
    max_tokens: Type.Integer({
      minimum: 1,
      maximum: 10_000_000,
      description: 'Maximum length of an answer.',
    }),
    tools: Type.Optional(Type.Array(Tool, { maxItems: 128 })),
  },
  { title: 'ModelSettings' },
);

/** Indexes that an assistant searches before it answers. */
export const Knowledge = Type.Array(
  Type.Object(
    {
      index: Type.String({ description: 'Name of a vector index.' }),
      top_k: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 20,
          description: 'Number of texts to use. Default: 5.',
        }),
      ),
      filter: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'As in index queries.' }),
      ),
    },
    { title: 'AssistantKnowledge' },
  ),
  { maxItems: 5, description: 'Vector indexes searched before each answer.' },
);

/** Token limit per month. */
export const TokenBudget = Type.Integer({
  title: 'TokenBudget',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    'Tokens per calendar month (UTC); beyond it, requests get 429 TOKEN_BUDGET_EXCEEDED. Null: no limit.',
});
