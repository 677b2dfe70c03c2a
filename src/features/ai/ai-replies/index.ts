import { LLM_NOT_CONFIGURED } from '../../../model-provider/errors.ts';
import type { Feature } from '../../feature.ts';
import { TOKEN_BUDGET_EXCEEDED } from './errors.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';
import { runAssistant } from './run-assistant.ts';

export { TOKEN_BUDGET_EXCEEDED } from './errors.ts';
export { toEvents } from './service.ts';
export {
  ask,
  askForAnswer,
  beginTurn,
  endTurn,
  prepareQuestion,
  type Question,
  type Turn,
  type TurnContext,
  toMessage,
} from './turn.ts';

/** Answers of assistants by a model provider. */
export const aiReplies: Feature = {
  name: 'ai-replies',
  examples,
  routes,
  errors: [LLM_NOT_CONFIGURED, TOKEN_BUDGET_EXCEEDED],
  actionTypes: [runAssistant],
};
