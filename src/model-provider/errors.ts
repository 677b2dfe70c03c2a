import { defineError } from '../errors/app-error.ts';

/** No provider of models is configured. */
export const LLM_NOT_CONFIGURED = defineError(
  'LLM_NOT_CONFIGURED',
  503,
  'No model provider is configured: the operator sets LLM_BASE_URL.',
);
/** The provider could not be reached, refused the call, or broke off. */
export const LLM_PROVIDER_ERROR = defineError('LLM_PROVIDER_ERROR', 502, 'The model provider failed.');
