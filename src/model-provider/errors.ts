import { defineError } from '../errors/app-error.ts';

/** No model provider is configured. */
export const LLM_NOT_CONFIGURED = defineError(
  'LLM_NOT_CONFIGURED',
  503,
  'No model provider is configured. The operator must set LLM_BASE_URL.',
);
/** The provider could not be reached, refused the call, or ended it early. */
export const LLM_PROVIDER_ERROR = defineError('LLM_PROVIDER_ERROR', 502, 'The model provider failed.');
